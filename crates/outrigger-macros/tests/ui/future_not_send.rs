#![allow(unused, reason = "only the errors are of interest")]

use std::rc::Rc;

use outrigger_macros::harness;

struct Weather;

#[harness]
impl Weather {
    #[tool]
    async fn current(&self) -> u8 {
        let count = Rc::new(1);
        std::future::ready(()).await;
        *count
    }
}

fn main() {}
