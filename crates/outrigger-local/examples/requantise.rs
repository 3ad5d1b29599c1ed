//! How weights should be kept in memory: speed, size and accuracy of every way, over a text.
//!
//! `cargo run --release --example requantise -- MODEL.gguf TEXT`
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a measuring program")]

use outrigger_local::{Engine, Options, Requantise};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, model, text] = arguments.as_slice() else {
        eprintln!("usage: requantise MODEL.gguf TEXT");
        std::process::exit(2);
    };
    let text = std::fs::read_to_string(text).unwrap();
    println!(
        "{:10} {:>8} {:>8} {:>10} {:>10} {:>9}",
        "kept as", "load s", "MB", "prompt t/s", "single t/s", "nats/tok"
    );
    for (name, requantise) in [("stored", Requantise::Never), ("Q8_0", Requantise::Q8), ("Q4_0", Requantise::Q4)] {
        let began = std::time::Instant::now();
        let options = Options { requantise, ..Options::default() };
        let mut engine = Engine::load(model.as_ref(), &options, &mut |_| ()).unwrap();
        let loaded = began.elapsed().as_secs_f64();
        let measured = engine.measure(&text, 512, 24).unwrap();
        println!(
            "{name:10} {loaded:8.2} {:8.1} {:10.1} {:10.1} {:9.4}",
            engine.info().weight_bytes as f64 / 1e6,
            measured.prompt_speed,
            measured.single_speed,
            measured.loss
        );
    }
}
