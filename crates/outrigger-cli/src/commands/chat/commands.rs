//! What can be said to the program rather than to the model.

use outrigger::contract::nearest_names;

/// A command, as it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Help,
    Tools,
    /// Tells the model, or changes it.
    Model(Option<&'a str>),
    Usage,
    /// The call of this number, else the last.
    Show(Option<usize>),
    Quit,
}

/// A command, as it is listed.
pub(super) struct Listed {
    /// With its slash.
    pub(super) name: &'static str,
    takes: &'static str,
    about: &'static str,
}

/// The commands, in the order they are told to people.
pub(super) const COMMANDS: [Listed; 6] = [
    Listed { name: "/help", takes: "", about: "tells this" },
    Listed { name: "/tools", takes: "", about: "lists the tools" },
    Listed { name: "/model", takes: " [MODEL]", about: "tells the model, or goes on with another: provider:model" },
    Listed { name: "/usage", takes: "", about: "tells the tokens of the last turn and of the thread" },
    Listed { name: "/show", takes: " [N]", about: "prints the last call, or call N, whole: arguments and result" },
    Listed { name: "/quit", takes: "", about: "leaves, as Ctrl-D does" },
];

/// A line as a command; `None`: it is for the model, which is all that does not begin with a slash, and all that has
/// several lines.
pub(super) fn command(line: &str) -> Option<Result<Command<'_>, String>> {
    let line = line.trim_end();
    (line.starts_with('/') && !line.contains('\n')).then(|| parse(line))
}

fn parse(line: &str) -> Result<Command<'_>, String> {
    let (name, given) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let given = Some(given.trim()).filter(|given| !given.is_empty());
    let alone = |command| match given {
        Some(given) => Err(format!("{name} takes nothing, not {given:?}")),
        None => Ok(command),
    };
    match name {
        "/help" => alone(Command::Help),
        "/tools" => alone(Command::Tools),
        "/model" => Ok(Command::Model(given)),
        "/usage" => alone(Command::Usage),
        "/show" => match given.map(str::parse) {
            None => Ok(Command::Show(None)),
            Some(Ok(number)) => Ok(Command::Show(Some(number))),
            Some(Err(_)) => Err(format!("/show takes the number of a call, not {:?}", given.unwrap_or_default())),
        },
        "/quit" => alone(Command::Quit),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> String {
    let known = || COMMANDS.iter().map(|command| command.name);
    let mean = match nearest_names(name, known(), 1).first() {
        Some(near) => format!(" (did you mean {near:?}?)"),
        None => String::new(),
    };
    let known = known().collect::<Vec<_>>().join(", ");
    format!("there is no command {name:?}{mean}; there are: {known}. A space before the slash says it to the model")
}

/// The commands, and the keys of a terminal.
pub(super) fn help(keys: bool) -> String {
    let mut help = String::new();
    for Listed { name, takes, about } in &COMMANDS {
        help.push_str(&format!("{:<16} {about}\n", format!("{name}{takes}")));
    }
    if keys {
        help.push_str(concat!(
            "Alt-Enter, or a backslash at the end of a line, begins a new line.\n",
            "Tab completes commands, the arrows go through what was said before.\n",
            "Ctrl-C stops the answer and keeps the talk; a second one leaves at once.\n",
            "What ends in … +3 was folded: so many characters, or lines; /show prints the whole.\n",
        ));
    }
    help
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_for_the_model() {
        assert_eq!(command("/model scripted:b.json "), Some(Ok(Command::Model(Some("scripted:b.json")))));
        assert_eq!(command("/show 3"), Some(Ok(Command::Show(Some(3)))));
        assert_eq!(command("/quit"), Some(Ok(Command::Quit)));
        for said in ["hello", " /tools", "/* a\ncomment */", ""] {
            assert_eq!(command(said), None, "{said:?}");
        }
    }

    #[test]
    fn a_wrong_command_names_the_nearest() {
        let told = |line| command(line).and_then(Result::err).unwrap_or_default();
        assert!(
            told("/usge").starts_with("there is no command \"/usge\" (did you mean \"/usage\"?); there are: /help, ")
        );
        assert_eq!(told("/show x"), "/show takes the number of a call, not \"x\"");
        assert_eq!(told("/quit now"), "/quit takes nothing, not \"now\"");
    }

    #[test]
    fn every_listed_command_is_one() {
        for listed in &COMMANDS {
            assert!(matches!(command(listed.name), Some(Ok(_))), "{}", listed.name);
        }
    }
}
