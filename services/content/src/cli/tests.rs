use super::*;
use crate::seed_dir::testing::Dir;

/// What a command line says, and its exit code.
fn content(arguments: &[&str]) -> (u8, String) {
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let command = match Command::parse(&arguments).unwrap() {
        Ok(command) => command,
        Err(answer) => {
            let code = if answer.use_stderr() { USAGE } else { 0 };
            return (code, answer.to_string());
        }
    };
    let mut out = Vec::new();
    let mut context = CommandContext {
        env: Env::from_pairs([] as [(&str, &str); 0]),
        out: &mut out,
    };
    match command.execute(&mut context) {
        Ok(Outcome::Good) => (0, String::from_utf8(out).unwrap()),
        Ok(Outcome::Invalid) => (INVALID, String::from_utf8(out).unwrap()),
        Err(error) => (FAILED, format!("{error:#}")),
    }
}

fn site() -> (Dir, String) {
    let dir = Dir::complete();
    dir.page(
        "en/one.yaml",
        "/one",
        &["{ componentName: Hero, id: hero, title: Breathe }"],
    );
    for locale in ["tr", "es", "de", "fr", "pt", "ru", "ja", "ar", "it", "ko"] {
        dir.write(
            &format!("{locale}/one.yaml"),
            "translationOf: en\nsections: { hero: { title: Nefes } }\n",
        );
    }
    let name = dir.0.to_str().unwrap().to_owned();
    (dir, name)
}

#[test]
fn only_its_own_verbs_are_taken() {
    let parse = |arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Command::parse(&arguments).is_some()
    };
    for verb in [
        "lint", "diff", "publish", "schedule", "export", "schema", "--help",
    ] {
        assert!(parse(&[verb]), "{verb}");
    }
    assert!(!parse(&["--check-config"]) && !parse(&[]));
}

#[test]
fn help_names_every_verb_and_the_exit_codes() {
    let (code, said) = content(&["--help"]);
    assert_eq!(code, 0);
    for word in [
        "lint",
        "diff",
        "publish",
        "schedule",
        "export",
        "schema",
        "Exit codes: 0 done",
    ] {
        assert!(said.contains(word), "{word} is not in {said}");
    }
    let (code, said) = content(&["schedule", "--help"]);
    assert!(code == 0 && said.contains("Europe/Istanbul"), "{said}");
}

#[test]
fn wrong_arguments_exit_differently_from_wrong_content() {
    for arguments in [
        &["lint"][..],
        &["lint", "a", "--format", "xml"],
        &["schedule", "a"],
    ] {
        assert_eq!(content(arguments).0, USAGE, "{arguments:?}");
    }
    let (code, said) = content(&["lint", "/no/such/content_key"]);
    assert!(code == FAILED && said.contains("/no/such/content_key"), "{said}");
}

#[test]
fn a_good_directory_is_said_to_be_good() {
    let (_dir, name) = site();
    assert_eq!(
        content(&["lint", &name]),
        (0, "25 files, nothing wrong\n".to_owned())
    );
}

#[test]
fn lint_lists_errors_line_by_line_and_in_order() {
    let (dir, name) = site();
    dir.page("en/two.yaml", "/two", &["{ componentName: Hreo, title: A }"]);
    dir.page("en/three.yaml", "/three", &["{ componentName: Hero, titel: A }"]);
    let (code, said) = content(&["lint", &name]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(code, INVALID);
    let expected = [
        (
            "en/three.yaml:5: sections[0].titel: is not a field",
            "Fix: write `title` if that is meant, or take it out.",
        ),
        (
            "en/three.yaml:5: sections[0].title: must not be empty",
            "Fix: write `title`.",
        ),
        (
            "en/two.yaml:5: sections[0]: is not a block type",
            "Fix: write `componentName: Hero` if that is meant.",
        ),
    ];
    for (line, (start, fix)) in lines.iter().zip(expected) {
        assert!(line.starts_with(start) && line.ends_with(fix), "{said}");
    }
    assert_eq!(lines[3], "3 errors, 0 warnings");
}

#[test]
fn warnings_alone_do_not_fail() {
    let (dir, name) = site();
    dir.page("en/two.yaml", "/two", &["{ componentName: Hero, title: A }"]);
    let (code, said) = content(&["lint", &name]);
    assert!(code == 0 && said.ends_with("0 errors, 1 warning\n"), "{said}");
}

#[test]
fn programs_get_json() {
    let (dir, name) = site();
    dir.write("en/two.yaml", "urlPath: [\n");
    let (code, said) = content(&["lint", &name, "--format", "json"]);
    let findings: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(code, INVALID);
    assert_eq!(findings[0]["severity"], "error");
    assert_eq!(findings[0]["file"], "en/two.yaml");
    assert_eq!(findings[0]["code"], "MALFORMED");
    assert!(findings[0]["line"].is_u64() && findings[0]["fix"].is_string());
}

/// A directory `content` with a plan of this campaign, and no campaigns beside it.
fn site_with_plan(campaign: &str) -> (Dir, String) {
    let (dir, _) = site();
    let seed = Dir::with(&[]);
    let content_dir = seed.0.join("content");
    std::fs::create_dir_all(&seed.0).unwrap();
    std::fs::rename(&dir.0, &content_dir).unwrap();
    seed.write(
        "content/en/one.yaml",
        &format!(
            "urlPath: /one\ntemplate: Page\nseo: {{ title: T }}\nsections:\n  - {{ componentName: Hero, id: hero, title: Breathe }}\n  \
             - {{ componentName: PlanList, plans: [ {{ title: A, button: {{ text: Go, url: /one }}, price: {{ campaignName: {campaign} }} }} ] }}\n"
        ),
    );
    let name = content_dir.to_str().unwrap().to_owned();
    (seed, name)
}

#[test]
fn an_unknown_campaign_is_neither_published_nor_scheduled() {
    let (seed, name) = site_with_plan("b");
    seed.write("campaigns/a.yaml", "kind: campaign\ncode: a\n");
    let (code, said) = content(&["publish", &name]);
    assert!(
        code == INVALID
            && said.contains("there is no campaign b")
            && said.ends_with("nothing was published\n"),
        "{said}"
    );
    let file = format!("{name}/en/one.yaml");
    let at = ["--at", "2026-12-01T09:00", "--zone", "Europe/Istanbul"];
    let (code, said) = content(&[&["schedule", &file][..], &at].concat());
    assert!(
        code == INVALID
            && said.contains("there is no campaign b")
            && said.ends_with("nothing was scheduled\n"),
        "{said}"
    );
}

#[test]
fn missing_campaigns_are_stated_once_by_lint_and_publish() {
    let (seed, name) = site_with_plan("b");
    let stated = "en/one.yaml:6: warning: sections[1].plans[0].price.campaignName: names the campaign b; without campaigns";
    let (code, said) = content(&["lint", &name]);
    assert!(code == 0 && said.contains(stated), "{said}");
    assert_eq!(said.matches("without campaigns").count(), 1, "{said}");
    let mut out = Vec::new();
    let mut context = CommandContext {
        env: Env::from_pairs([] as [(&str, &str); 0]),
        out: &mut out,
    };
    let arguments = ["publish".to_owned(), name.clone()];
    let command = Command::parse(&arguments).unwrap().unwrap();
    // It then fails, for want of a database.
    assert!(command.execute(&mut context).is_err());
    let said = String::from_utf8(out).unwrap();
    assert!(said.starts_with(stated), "{said}");
    let missing = seed.0.join("nowhere");
    let (code, said) = content(&["lint", &name, "--campaigns", missing.to_str().unwrap()]);
    assert!(code == FAILED && said.contains("nowhere"), "{said}");
}

#[test]
fn campaigns_beside_the_directory_are_found_and_others_can_be_named() {
    let (dir, _) = site();
    let seed = Dir::with(&[]);
    let content_dir = seed.0.join("content");
    std::fs::create_dir_all(&seed.0).unwrap();
    std::fs::rename(&dir.0, &content_dir).unwrap();
    seed.write("campaigns/a.yaml", "kind: campaign\ncode: a\ntrial_days: 7\n");
    seed.write("others/a.yaml", "kind: campaign\ncode: a\ntrial_days: 14\n");
    seed.write(
        "content/en/one.yaml",
        "urlPath: /one\ntemplate: Page\nseo: { title: T }\nsections:\n  - { componentName: Hero, id: hero, title: Free for 14 days }\n",
    );
    let name = content_dir.to_str().unwrap();
    let (code, said) = content(&["lint", name]);
    assert!(code == INVALID && said.contains("a gives 7 days"), "{said}");
    let others = seed.0.join("others");
    let (code, said) = content(&["lint", name, "--campaigns", others.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_directory_with_an_error_is_neither_published_nor_scheduled() {
    let (dir, name) = site();
    dir.page("en/two.yaml", "/two", &["{ componentName: Hero }"]);
    let (code, said) = content(&["publish", &name]);
    assert!(
        code == INVALID && said.ends_with("nothing was published\n"),
        "{said}"
    );
    let file = dir.0.join("en/two.yaml");
    let at = ["--at", "2026-12-01T09:00", "--zone", "Europe/Istanbul"];
    let (code, said) = content(&[&["schedule", file.to_str().unwrap()][..], &at].concat());
    assert!(
        code == INVALID && said.ends_with("nothing was scheduled\n"),
        "{said}"
    );
}

#[test]
fn what_needs_the_service_says_how_to_reach_it() {
    let (_dir, name) = site();
    for verb in ["publish", "diff"] {
        let (code, said) = content(&[verb, &name]);
        assert!(
            code == FAILED && said.contains("CONTENT_DATABASE_URL"),
            "{verb}: {said}"
        );
    }
    let (code, said) = content(&["publish", &name, "--only", "en/nine.yaml"]);
    assert!(
        code == FAILED && said.contains("there is no en/nine.yaml"),
        "{said}"
    );
    let (code, said) = content(&["export", &name]);
    assert!(code == FAILED && said.contains("is not empty"), "{said}");
}

#[test]
fn schemas_are_written_for_pages_and_every_block() {
    let dir = Dir::with(&[]);
    let (code, said) = content(&["schema", dir.0.to_str().unwrap()]);
    assert!(code == 0 && said.ends_with("schemas written\n"), "{said}");
    for file in [
        "page.json",
        "seo.json",
        "blocks/Hero.json",
        "record.json",
        "navigation.json",
    ] {
        let text = std::fs::read_to_string(dir.0.join(file)).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{file}");
    }
}
