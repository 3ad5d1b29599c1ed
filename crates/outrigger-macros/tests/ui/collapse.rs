use outrigger_macros::harness;

struct Twice;

#[harness(collapse(result = "One.", result = "Two."))]
impl Twice {
    #[tool]
    fn one(&self) {}
}

struct Again;

#[harness(collapse, collapse(list = false))]
impl Again {
    #[tool]
    fn two(&self) {}
}

struct Words;

#[harness(collapse(instruction = "Mind.", result = 7, lifetime = "turn"))]
impl Words {
    #[tool]
    fn three(&self) {}
}

struct Never;

#[harness(collapse(lifetime = idle(0)))]
impl Never {
    #[tool]
    fn four(&self) {}
}

struct Equal;

#[harness(collapse = true)]
impl Equal {
    #[tool]
    fn five(&self) {}
}

struct Made;

#[harness(collapse(result = Self::missing))]
impl Made {
    #[tool]
    fn six(&self) {}
}

fn main() {}
