use std::path::Path;
use std::sync::Arc;

use crate::Contract;

use super::*;
use crate::agent::Limits;
use crate::testing::{TestModel, Tricks};

#[derive(Contract)]
struct ShelfConfig {
    /// The directory.
    root: String,
    /// How many.
    #[arg(default = 3, min = 1)]
    most: u32,
}

const TYPES: &[HarnessType] = &[
    HarnessType {
        name: "Shelf",
        about: "takes a configuration",
        open: |given| {
            let ShelfConfig { root, most } = given.config()?;
            let wrong = |path: &str, message: String| Refusal::Unusable { path: path.into(), message };
            if root == "gone" {
                return Err(wrong("/root", format!("{} is no directory", given.base().join(root).display())));
            }
            if most > 9 { Err(wrong("/most", "9 are enough".into())) } else { Ok(Arc::new(Tricks::default())) }
        },
    },
    HarnessType {
        name: "Plain",
        about: "takes none",
        open: |given| given.no_config().map(|()| Arc::new(Tricks::default()) as _),
    },
];

fn read(text: &str) -> Result<AgentFile, ConfigErrors> {
    AgentFile::read(text, TYPES, Path::new("base"))
}

/// Texts that are wrong, each for a reason of its own.
const WRONG: &[(&str, &str)] = &[
    ("a key that is not there", "nmae = \"a\"\n"),
    ("a key far from all", "qwertyuiop = 1\n"),
    ("another case", "Name = \"a\"\nmaxIterations = 3\n"),
    ("types", "name = 1\ninstructions = [\"a\"]\nmodel = true\nharnesses = \"Plain\"\nlimits = 3\n"),
    (
        "limits",
        "[limits]\nmax_iterations = 0\nmax_duration = \"30 minutes\"\ntool_timeout = 60\nargument_bytes = -1\nevent_bufer = 1\n",
    ),
    ("a number too large", "[limits]\nmax_iterations = 99999999999999999999999999999999999999999999\n"),
    ("a number that is none", "[limits]\nmax_iterations = nan\n"),
    ("a hexadecimal number out of range", "[limits]\nmax_iterations = 0x1_0000_0000\n"),
    ("a date", "name = 2026-11-30\nmodel = 07:32:00\nharnesses = [2026-11-30]\n"),
    ("an unknown harness, and a typo beside it", "nmae = \"a\"\nharnesses = [\"Plian\", \"Nothing\"]\n"),
    ("an unknown harness in a table", "[[harnesses]]\nname = \"shelf\"\n"),
    ("an entry without a name", "harnesses = [{ nme = \"Shelf\" }, 3]\n"),
    ("the harness's own configuration", "[[harnesses]]\nname = \"Shelf\"\nconfig = { rot = \".\", most = 0 }\n"),
    ("a configuration where none is taken", "harnesses = [{ name = \"Plain\", config = { root = \".\" } }]\n"),
    ("no configuration where one is needed", "harnesses = [\"Shelf\"]\n"),
    (
        "a configuration that cannot be used",
        "harnesses = [\n  { name = \"Shelf\", config = { root = \"gone\" } },\n]\n",
    ),
    ("unknown tools", "harnesses = [{ name = \"Plain\", tools = [\"ehco\", \"Plain.echo\", \"x\"] }]\n"),
    (
        "unknown tools of a harness whose configuration is wrong",
        "[[harnesses]]\nname = \"Plain\"\nconfig = { a = 1 }\ntools = [\"ehco\"]\n",
    ),
    ("no tools", "harnesses = [{ name = \"Plain\", tools = [] }]\n"),
    ("twice", "harnesses = [\"Plain\", { name = \"Plain\" }]\n"),
    ("not TOML, in two places", "name = \nmodel = \"a\n[limits\n"),
    ("a key twice", "name = \"a\"\nname = \"b\"\n"),
    ("characters of several bytes", "name = \"é😀\"  \nx = \"é\" # é\ninstructions = \"😀\"\ny = 1\n"),
    ("a null byte", "name = \"\0\"\n"),
    (
        "headers and dotted keys",
        "# c\nlimits.max_iterations = 0\n\n[[harnesses]]\nname = \"Plain\"\n\n[[harnesses]]\nconfig = {}\n\n[[harnesses]]\nname = \"Shelf\"\n[harnesses.config]\nroot = \".\"\nrooot = 1\n",
    ),
    ("a byte order mark and Windows line breaks", "\u{feff}name = \"a\"\r\nnmae = 2\r\n"),
    ("a key in clear", "[model]\nname = \"openai:x\"\nkey = \"sk-0123456789\"\n"),
    (
        "a key that is a list",
        "model = { name = \"openai:x\", key = [\"sk-0123456789\"], proxy = { url = \"sk-0123456789\" } }\n",
    ),
    ("a key from nowhere", "model = { name = \"openai:x\", key = {} }\n"),
    (
        "keys from several places",
        "[model]\nname = \"openai:x\"\nkey = { env = \"A\", file = \"b\" }\nfallback = [\"a:b\", { name = \"a:c\", key = { file = \"b\", command = [\"c\"] } }]\n",
    ),
    ("an empty command", "model = { name = \"openai:x\", key = { command = [] } }\n"),
    ("a table without a name", "[model]\nkey = { env = \"A\" }\nheader = { a = \"b\" }\n"),
    ("a fallback of a fallback", "model = { name = \"a:b\", fallback = [{ name = \"a:c\", fallback = [\"a:d\"] }] }\n"),
    ("two base URLs", "base_url = \"http://a\"\nmodel = { name = \"openai:x\", base_url = \"http://b\" }\n"),
    ("a key with a slash", "\"a/b\" = 1\n\"~\" = 1\n"),
];

// F1, H4: every error of a file at once, each with its line, its column and what to write instead.
#[test]
fn wrong_files_are_answered_with_every_error_and_its_place() {
    let mut told = String::new();
    for (what, text) in WRONG {
        let errors = read(text).err().unwrap_or_else(|| panic!("{what}: nothing is wrong"));
        let paths: Vec<&str> = errors.errors.iter().map(|error| error.path.as_str()).collect();
        told.push_str(&format!("== {what}\n{text:?}\n{errors}\n{paths:?}\n\n"));
    }
    insta::assert_snapshot!(told);
}

// M2: a key that was written in clear by mistake is refused and not repeated.
#[test]
fn errors_show_no_secret() {
    let secret = "sk-0123456789";
    for value in ["\"S\"", "[\"S\"]", "{ env = [\"S\"] }", "{ command = \"S\" }", "{ file = { S = 1 } }"] {
        let value = value.replace('S', secret);
        for text in [
            format!("model = {{ name = \"a:b\", key = {value} }}"),
            format!("model = {{ name = \"a:b\", fallback = [{{ name = \"a:b\", key = {value} }}] }}"),
            format!("model = {{ name = \"a:b\", headers = {{ authorization = [{value}] }} }}"),
            format!("model = {{ name = \"a:b\", proxy = [{value}] }}"),
            format!("model = [{{ name = \"a:b\", key = {value} }}]"),
            format!("model = {{ name = \"a:b\", fallback = {{ name = \"a:b\", key = {value} }} }}"),
        ] {
            let errors = read(&text).err().unwrap();
            let messages: Vec<&str> = errors.errors.iter().map(|error| &*error.message).collect();
            assert!(!errors.to_string().contains(secret), "{text}: {messages:?}");
        }
    }
}

#[test]
fn a_file_says_all_a_builder_takes() {
    let text = "name = \"a\"\ninstructions = \"b\"\nmodel = \"local\"\nharnesses = [{ name = \"Plain\", tools = [\"echo\"] }]\n\
                [limits]\nmax_iterations = 3\ntool_timeout = \"500ms\"\nmax_duration = \"1h\"\n";
    let file = read(text).unwrap();
    let limits = Limits {
        max_iterations: 3.try_into().unwrap(),
        tool_timeout: std::time::Duration::from_millis(500),
        max_duration: std::time::Duration::from_secs(3600),
        ..Limits::DEFAULT
    };
    assert_eq!(file.config.limits, limits);
    assert_eq!(file.models()[0].choice, "local");
    let agent = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let agent = agent.block_on(file.builder().model(TestModel::new([])).build()).unwrap();
    let names: Vec<&str> = agent.catalog().entries().iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["echo"]);
    assert_eq!(file.error("/model", "no", None).to_string(), "3:9: no");
}

// M2, M6: how models are reached; relative paths start from the file's directory.
#[test]
fn a_file_says_how_models_are_reached() {
    let text = "base_url = \"http://a/v1\"\n[model]\nname = \"openai:x\"\nkey = { file = \"key\" }\nca = \"/etc/ca.pem\"\nproxy = \"http://me:hunter22@p\"\n\
                fallback = [\"local\", { name = \"vllm:y\", base_url = \"http://b\", key = { command = [\"./show\", \"key\"] }, ca = \"ca.pem\" }]\n\
                [model.headers]\nx-team = \"hunter22\"\n";
    let models = read(text).unwrap().models();
    assert_eq!(
        models.iter().map(|model| &*model.pointer).collect::<Vec<_>>(),
        ["/model", "/model/fallback/0", "/model/fallback/1"]
    );
    assert_eq!(models.iter().map(|model| &*model.choice).collect::<Vec<_>>(), ["openai:x", "local", "vllm:y"]);
    assert_eq!(
        models.iter().map(|model| model.base_url.as_deref()).collect::<Vec<_>>(),
        [Some("http://a/v1"), None, Some("http://b")]
    );
    assert_eq!(models[0].key, Some(KeySource::File("base/key".into())));
    assert_eq!(
        (models[0].ca.as_deref(), models[2].ca.as_deref()),
        (Some(Path::new("/etc/ca.pem")), Some(Path::new("base/ca.pem")))
    );
    let program = std::path::absolute("base/./show").unwrap().to_string_lossy().into_owned();
    let command = KeySource::Command { words: vec![program, "key".into()], directory: "base".into() };
    assert_eq!(models[2].key, Some(command));
    assert_eq!(models[0].headers["x-team"].0, "hunter22");
    assert!(!format!("{models:?}").contains("hunter22"));
}

#[test]
fn an_empty_file_is_an_agent_with_the_defaults() {
    let file = read("").unwrap();
    assert_eq!(file.config.limits, Limits::DEFAULT);
    assert!(file.harnesses.is_empty());
}

#[test]
fn the_example_of_the_formats_reads() {
    let text = "name = \"assistant\"\nmodel = \"local\"\nharnesses = [\"Plain\", { name = \"Shelf\", config = { root = \".\" } }]\n";
    assert_eq!(read(text).unwrap().harnesses.len(), 2);
}

#[test]
fn depth_and_size_are_bounded() {
    let deep = format!("x = {}1{}\n", "[".repeat(70), "]".repeat(70));
    let dotted = format!("{} = 1\n", vec!["a"; 70].join("."));
    let long = format!("name = \"{}\"\n", "a".repeat(1 << 20));
    for text in [deep, dotted, long] {
        assert!(read(&text).is_err());
    }
}

// `outrigger schema` and editors read it.
#[test]
fn the_schema_of_agent_files_is_published() {
    let schema: serde_json::Value = serde_json::from_str(&AgentConfig::json_schema()).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&schema).unwrap());
}

proptest::proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "\\PC*") {
        drop(read(&text));
    }
}
