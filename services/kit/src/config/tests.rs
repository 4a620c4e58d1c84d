use secrecy::ExposeSecret;

use super::*;

#[test]
fn every_error_is_reported_at_once() {
    let env = Env::from_pairs([("PORT", "many"), ("WAIT", "-1"), ("STILLPOINT_ENV", "production")]);
    let mut reader = env.reader();
    let port: u16 = reader.parse("PORT", 80);
    reader.secs("WAIT", Duration::from_secs(3));
    reader.secret("TOKEN", "dev");
    let errors = reader.done(port).unwrap_err().to_string();
    assert_eq!(
        errors,
        "PORT: `many`: invalid digit found in string\nWAIT: `-1` is not a whole number\n\
         TOKEN: must be set in production"
    );
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let env = Env::from_pairs([("NAME", ""), ("HOSTS", "")]);
    let mut reader = env.reader();
    assert_eq!(reader.text("NAME", "default"), "default");
    assert_eq!(reader.optional("NAME"), None);
    assert_eq!(reader.list("HOSTS", &["a", "b"]), ["a", "b"]);
}

#[test]
fn lists_are_trimmed() {
    let env = Env::from_pairs([("HOSTS", " a, b ,,c")]);
    assert_eq!(env.reader().list("HOSTS", &[]), ["a", "b", "c"]);
}

#[test]
fn a_development_secret_is_refused_in_production() {
    let development = Env::from_pairs([("TOKEN", "dev")]);
    assert_eq!(development.reader().secret("TOKEN", "dev").expose_secret(), "dev");
    let production = development.with([("STILLPOINT_ENV", "production")]);
    let mut reader = production.reader();
    reader.secret("TOKEN", "dev");
    assert!(reader.done(()).is_err());
}

fn errors_in_production(name: &'static str, value: &str, read: fn(&mut EnvReader<'_>)) -> String {
    let env = Env::from_pairs([("STILLPOINT_ENV", "production"), (name, value)]);
    let mut reader = env.reader();
    read(&mut reader);
    reader.done(()).err().unwrap_or_default().to_string()
}

#[test]
fn public_secrets_are_refused_anywhere_in_a_list_and_in_any_variable() {
    let check = |value: &str| {
        errors_in_production("HOOK", value, |reader| {
            reader.secret("HOOK", "dev");
        })
    };
    let own = "whsec_0123456789abcdef";
    assert_eq!(check(own), "");
    assert_eq!(check(&format!("{own}, {own}")), "");
    for public in ["whsec_stillpoint", "sk_test_stillpoint", "dev"] {
        for list in [
            public.to_owned(),
            format!("{own},{public}"),
            format!("{public} ,{own}"),
        ] {
            assert!(check(&list).contains("public development value"), "{list}");
        }
    }
    assert!(check(&format!("a,{own}")).contains("at least 16"));
}

#[test]
fn secrets_of_our_own_are_long() {
    let check = |value: &str| {
        errors_in_production("TOKEN", value, |reader| {
            reader.own_secret("TOKEN", "dev");
        })
    };
    assert!(check(&"a".repeat(31)).contains("at least 32"));
    assert_eq!(check(&"a".repeat(32)), "");
}

#[test]
fn production_is_reached_by_https() {
    let check =
        |value: &str| errors_in_production("PUBLIC_URL", value, |reader| reader.require_https("PUBLIC_URL"));
    assert_eq!(check("https://stillpoint.example"), "");
    for wrong in ["", "http://stillpoint.example", "stillpoint.example"] {
        assert!(check(wrong).contains("https://"), "{wrong}");
    }
}

#[test]
fn a_process_that_does_not_say_where_it_runs_is_in_production() {
    assert!(Env::default().or_production().is_production());
    let said = Env::from_pairs([("STILLPOINT_ENV", "development")]);
    assert!(!said.or_production().is_production());
}

#[test]
fn shared_errors_are_listed_once() {
    let env = Env::from_pairs([("PORT", "x")]);
    let error = || {
        let mut reader = env.reader();
        reader.parse::<u16>("PORT", 1);
        reader.done(()).unwrap_err()
    };
    let mut errors = error();
    errors.merge(error());
    assert_eq!(errors.to_string().lines().count(), 1);
}

/// A file in a folder of its own.
struct SecretFile(std::path::PathBuf);

impl SecretFile {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("kit-secrets-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// As Kubernetes and careful operators do: readers never see half a file.
    fn replace(&self, content: &str) -> String {
        let (new, file) = (self.0.join("new"), self.0.join("secret"));
        std::fs::write(&new, content).unwrap();
        std::fs::rename(&new, &file).unwrap();
        file.display().to_string()
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn shown(secret: &RotatingSecret) -> Vec<String> {
    let values = secret.values();
    values
        .iter()
        .map(|value| value.expose_secret().to_owned())
        .collect()
}

#[test]
fn secret_may_be_in_a_file() {
    let file = SecretFile::new("file");
    let env = Env::from_pairs([("TOKEN_FILE", file.replace("s3cret\n"))]);
    let mut reader = env.reader();
    assert_eq!(reader.secret("TOKEN", "dev").expose_secret(), "s3cret");
    let optional = reader.optional_secret("TOKEN").unwrap();
    assert_eq!(optional.expose_secret(), "s3cret");
    assert!(reader.optional_secret("OTHER").is_none());
    assert!(reader.done(()).is_ok());
}

#[test]
fn errors_of_secret_files_name_the_variable_and_not_the_content() {
    let file = SecretFile::new("errors");
    let errors = |pairs: &[(&str, &str)]| {
        let env = Env::from_pairs(pairs.iter().copied());
        let mut reader = env.reader();
        reader.secret("TOKEN", "dev");
        reader.done(()).err().unwrap_or_default().to_string()
    };
    let path = file.replace("s3cret");
    let both = errors(&[("TOKEN", "other"), ("TOKEN_FILE", path.as_str())]);
    assert_eq!(both, "TOKEN: is set, and so is TOKEN_FILE; set one of them");
    let missing = errors(&[("TOKEN_FILE", "/nowhere/at/all")]);
    assert!(
        missing.starts_with("TOKEN_FILE: `/nowhere/at/all` is not readable"),
        "{missing}"
    );
    let empty = errors(&[("TOKEN_FILE", file.replace("\n").as_str())]);
    assert!(
        empty.starts_with("TOKEN_FILE: ") && empty.ends_with("is empty"),
        "{empty}"
    );
    let weak = errors(&[
        ("STILLPOINT_ENV", "production"),
        ("TOKEN_FILE", &file.replace("s3cret")),
    ]);
    assert_eq!(weak, "TOKEN: must have at least 16 characters in production");
}

#[test]
fn rotating_secret_follows_its_file_and_keeps_its_last_good_value() {
    let file = SecretFile::new("rotating");
    let path = file.replace("old-0123456789abcdef");
    let env = Env::from_pairs([("STILLPOINT_ENV", "production"), ("TOKEN_FILE", path.as_str())]);
    let mut reader = env.reader();
    let secret = reader.rotating_secret("TOKEN", "dev");
    assert!(reader.done(()).is_ok());
    assert_eq!(shown(&secret), ["old-0123456789abcdef"]);
    file.replace("new-0123456789abcdef, old-0123456789abcdef\n");
    assert_eq!(shown(&secret), ["new-0123456789abcdef", "old-0123456789abcdef"]);
    assert_eq!(secret.first().expose_secret(), "new-0123456789abcdef");
    for bad in ["", "short", "sk_test_stillpoint"] {
        file.replace(bad);
        assert_eq!(shown(&secret).len(), 2, "{bad}");
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(shown(&secret).len(), 2);
    file.replace("last-0123456789abcdef");
    assert_eq!(shown(&secret.clone()), ["last-0123456789abcdef"]);
    assert!(!format!("{secret:?}").contains("0123"));
}

#[test]
fn rotating_secret_without_a_file_is_fixed() {
    let env = Env::from_pairs([("TOKEN", "a, b")]);
    let mut reader = env.reader();
    assert_eq!(shown(&reader.rotating_secret("TOKEN", "dev")), ["a", "b"]);
    reader.own_rotating_secret("COMMAS", ",");
    let errors = reader.done(()).unwrap_err().to_string();
    assert_eq!(errors, "COMMAS: holds no secret");
}
