//! A schema and, after a line break, arguments for it. Nothing may panic, overflow the stack or take for ever; what
//! binds comes back through its canonical form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use outrigger_contract::{ForeignSchema, ImportLimits, Limits, SchemaProfile, WirePlan, project};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (schema, arguments) = text.split_once('\n').unwrap_or((text, "{}"));
    let Ok(schema) = ForeignSchema::import(schema, &ImportLimits::default()) else { return };
    let projection = project(schema.shape(), &SchemaProfile::canonical(), &[], &[]);
    let Ok(bound) = schema.bind(arguments, &projection.plan, &Limits::default()) else { return };
    let again = schema.bind(&bound.json, &WirePlan::default(), &Limits::default());
    assert_eq!(again.map(|again| again.json), Ok(bound.json));
});
