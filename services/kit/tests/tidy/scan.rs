//! Scanners of source texts.

/// The text without line comments and without items under `#[cfg(test)]`. Code below such an item is included. Lines keep their
/// numbers.
pub fn own_code(text: &str) -> String {
    let mut code = String::new();
    let mut place = Place::Own;
    for line in text.lines() {
        if let Place::Own = place {
            if line.trim() == "#[cfg(test)]" {
                place = Place::BeforeTest(indent(line));
            } else {
                let comment = line.find("//").filter(|found| !line[..*found].ends_with(':'));
                code.push_str(&line[..comment.unwrap_or(line.len())]);
            }
        } else {
            place = place.after(line);
        }
        code.push('\n');
    }
    code
}

/// Where a line is. Formatted code closes an item at the indent of its start.
#[derive(Clone, Copy)]
enum Place {
    Own,
    /// Between `#[cfg(test)]` and its item.
    BeforeTest(usize),
    /// In another attribute of the item, of several lines.
    InAttribute(usize),
    InTest(usize),
}

impl Place {
    fn after(self, line: &str) -> Self {
        let trimmed = line.trim();
        match self {
            Self::BeforeTest(indent) if trimmed.starts_with("#[") && !trimmed.ends_with(']') => {
                Self::InAttribute(indent)
            }
            Self::BeforeTest(_) if trimmed.starts_with("#[") || trimmed.starts_with("//") => self,
            Self::BeforeTest(_) if trimmed.ends_with([';', '}']) => Self::Own,
            Self::BeforeTest(indent) => Self::InTest(indent),
            Self::InAttribute(indent) if trimmed.ends_with(']') => Self::BeforeTest(indent),
            Self::InTest(of) if matches!(trimmed, "}" | "};") && indent(line) == of => Self::Own,
            other => other,
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The modules after `crate::`, also in braces.
pub fn crate_imports(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (offset, start) in text.match_indices("crate::") {
        let after = offset + start.len();
        if !starts_a_word(text, offset) {
            continue;
        }
        match text[after..].strip_prefix('{') {
            None => found.push((offset, first_word(&text[after..]))),
            Some(group) => found.extend(group_heads(group).into_iter().map(|head| (offset, head))),
        }
    }
    found
}

/// The first word of each item of a `{…}` group, given without its opening brace.
pub fn group_heads(group: &str) -> Vec<&str> {
    let mut heads = vec![first_word(group)];
    let mut depth = 0_usize;
    for (offset, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.push(first_word(&group[offset + 1..])),
            _ => {}
        }
    }
    heads
}

pub fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|character: char| !(character.is_alphanumeric() || character == '_'));
    &text[..end.unwrap_or(text.len())]
}

pub fn starts_a_word(text: &str, offset: usize) -> bool {
    text.starts_with('.')
        || !text[..offset].ends_with(|before: char| before.is_alphanumeric() || before == '_')
}

/// The calls and imports of `kit::database::begin` and `begin_snapshot`.
pub fn transaction_begins(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (offset, start) in text.match_indices("database::") {
        let after = &text[offset + start.len()..];
        let heads = after
            .strip_prefix('{')
            .map_or_else(|| vec![first_word(after)], group_heads);
        if heads
            .iter()
            .any(|head| matches!(*head, "begin" | "begin_snapshot"))
        {
            found.push(offset);
        }
    }
    found
}

/// The string literals right after any of `openings`, also after line breaks.
pub fn string_arguments<'a>(text: &'a str, openings: &[&str]) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for opening in openings {
        for (offset, _) in text.match_indices(opening) {
            let argument = text[offset + opening.len()..].trim_start();
            if let Some((literal, _)) = argument.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
                found.push((offset, literal));
            }
        }
    }
    found
}

/// `WriteAiText` is `write_ai_text`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

pub fn is_variable(text: &str) -> bool {
    text.len() > 2
        && text.starts_with(|first: char| first.is_ascii_uppercase())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The variables in the `| variable | …` tables of a README, in the backticks of the first cell, with their lines.
pub fn documented_variables(readme: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (index, line) in readme.lines().enumerate() {
        let header = line.to_ascii_lowercase().starts_with("| variable |");
        inside = header || (inside && line.starts_with('|'));
        let first_cell = line.split('|').nth(1).filter(|_| inside).unwrap_or_default();
        let names = first_cell
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| is_variable(name));
        found.extend(names.map(|name| (index + 1, name)));
    }
    found
}

/// The names in all tables of dependencies, with their lines.
pub fn dependencies(manifest: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (index, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.contains("dependencies");
        } else if inside && line.starts_with(|first: char| first.is_alphanumeric()) {
            let end = line.find(|character: char| !(character.is_alphanumeric() || "_-".contains(character)));
            found.push((index + 1, line[..end.unwrap_or(line.len())].to_owned()));
        }
    }
    found
}

#[test]
fn scanners_find_imports_calls_dependencies_and_variables() {
    let text = "use crate::{store::order, flows};\nlet x = crate::domain::y(); // crate::rpc\n";
    let text = own_code(text);
    let modules: Vec<_> = crate_imports(&text)
        .into_iter()
        .map(|(_, module)| module)
        .collect();
    assert_eq!(modules, ["store", "flows", "domain"]);
    assert_eq!(
        string_arguments("a.client(\n    \"auth\",\n)", &[".client("])[0].1,
        "auth"
    );
    assert_eq!(
        dependencies("[package]\nname = \"x\"\n[dependencies]\nauth.workspace = true\n"),
        [(4, "auth".into())]
    );
    assert!(is_variable("PARTNER_2_URL") && !is_variable("content") && !is_variable("ID"));
    let tables = "| Variable | Default |\n| --- | --- |\n| `AN_ADDR` | `X_Y` |\n\n| `NOT_ONE` |\n";
    assert_eq!(documented_variables(tables), [(3, "AN_ADDR")]);
}

#[test]
fn scanners_find_the_begin_of_a_transaction_called_or_imported() {
    let text =
        "kit::database::begin(&pool); database::begin_snapshot(&pool); use kit::database::{Pool, begin};";
    assert_eq!(transaction_begins(text).len(), 3);
    assert_eq!(
        transaction_begins("use kit::database::{Pool, is_unique_violation};"),
        [] as [usize; 0]
    );
}

#[test]
fn code_below_a_test_is_read() {
    let text = "a\n#[cfg(test)]\n#[expect(\n    x\n)]\nmod tests {\n    fn b() {\n    }\n}\nc\n";
    assert_eq!(own_code(text).split_whitespace().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(own_code(text).lines().count(), text.lines().count());
    let text =
        "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests;\nuse c;\n    #[cfg(test)]\n    use {\n    d\n    };\ne";
    assert_eq!(
        own_code(text).split_whitespace().collect::<Vec<_>>(),
        ["use", "c;", "e"]
    );
}
