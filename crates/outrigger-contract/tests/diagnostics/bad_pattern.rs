use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    #[arg(pattern = "[a")]
    broken: String,
    #[arg(pattern = "(?i)abc")]
    flags: String,
    #[arg(pattern = "(?=a)b")]
    ahead: String,
    #[arg(pattern = r"\p{Greek}")]
    script: String,
}

fn main() {}
