use std::fs;

use super::testing::Dir;
use super::*;

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/content");

fn read(dir: &Dir) -> SeedDir {
    SeedDir::read_now(&dir.0).unwrap()
}

fn errors(dir: &Dir) -> Vec<String> {
    read(dir).errors.iter().map(ToString::to_string).collect()
}

#[test]
fn a_good_directory_has_a_seed_for_every_page_and_every_chrome() {
    let dir = Dir::with(&["en", "tr"]);
    dir.text("en/one.yaml", "/one", "Hello");
    dir.write("en/two.json", r#"{"urlPath": "/two", "template": "Page", "seo": {"title": "T"}, "sections": [{"componentName": "Heading", "text": "Two"}]}"#);
    dir.write("en/notes.txt", "not content");
    let read = read(&dir);
    let names: Vec<&str> = read.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "en/navigation.yaml",
            "en/one.yaml",
            "en/two.json",
            "tr/navigation.yaml"
        ]
    );
    assert_eq!(read.errors, []);
}

#[test]
fn every_error_names_its_file_its_line_and_a_fix() {
    let dir = Dir::with(&["en", "tr"]);
    dir.text("en/one.yaml", "/one", "Hello");
    dir.text("en/two.yaml", "/one", "Hello");
    dir.text("tr/three.yaml", "/three", "");
    dir.write("tr/four.yaml", "urlPath: [");
    dir.write("tr/five.yml", "- a\n- b\n");
    fs::remove_file(dir.0.join("tr/footer.yaml")).unwrap();
    dir.write("en/footer.yaml", "quote: Q\nlogo: { url: /favicon.svg }\n");
    fs::create_dir(dir.0.join("xx")).unwrap();
    let errors = errors(&dir);
    let starts = [
        "en/footer.yaml:2: logo.alt: ",
        "en/two.yaml:1: urlPath: /one is the page of en/one.yaml. Fix: ",
        "tr/five.yml:1: is a list. Fix: ",
        "tr/footer.yaml:1: is missing. Fix: ",
        "tr/four.yaml:",
        "tr/three.yaml:5: sections[0].markdown: ",
        "xx/footer.yaml:1: is missing. Fix: ",
        "xx/navigation.yaml:1: is missing. Fix: ",
    ];
    assert_eq!(errors.len(), starts.len(), "{errors:#?}");
    for (error, start) in errors.iter().zip(starts) {
        assert!(
            error.starts_with(start) && error.contains(" Fix: "),
            "{error} does not start with {start}"
        );
    }
}

#[test]
fn a_translation_is_the_english_page_with_other_texts() {
    let dir = Dir::with(&["en", "tr"]);
    dir.text("en/one.yaml", "/one", "Hello");
    dir.write(
        "tr/one.yaml",
        "translationOf: en\nseo: { title: Bir }\nsections:\n  text: { markdown: Merhaba }\n",
    );
    dir.write("tr/navigation.yaml", "translationOf: en\nlogo: { alt: Logo }\n");
    let read = read(&dir);
    assert_eq!(read.errors, []);
    let page = read.files.iter().find(|file| file.name == "tr/one.yaml").unwrap();
    let ValidatedDraft::Page(page) = &page.validated else {
        panic!("{page:?}")
    };
    assert_eq!((page.url_path.as_str(), page.locale), ("/one", Locale::Tr));
    assert!(
        page.document.contains("Merhaba") && page.document.contains("Bir"),
        "{}",
        page.document
    );
    let chrome = read
        .files
        .iter()
        .find(|file| file.name == "tr/navigation.yaml")
        .unwrap();
    let ValidatedDraft::Chrome(chrome) = &chrome.validated else {
        panic!("{chrome:?}")
    };
    assert!(chrome.document.contains("\"Logo\""), "{}", chrome.document);
}

#[test]
fn translation_with_an_error_or_without_an_english_page_is_rejected() {
    let dir = Dir::with(&["en", "tr"]);
    dir.text("en/one.yaml", "/one", "Hello");
    dir.write(
        "tr/one.yaml",
        "translationOf: en\nsections:\n  txet: { markdown: Merhaba }\n",
    );
    dir.write("tr/two.yaml", "translationOf: en\nseo: { title: Iki }\n");
    dir.write("tr/three.yaml", "seo: { title: Iki }\ntranslationOf: de\n");
    let errors = errors(&dir);
    let starts = [
        "tr/one.yaml:3: sections.txet: translates nothing: the ids of the English list are text.",
        "tr/three.yaml:2: translationOf: can only be a translation of English.",
        "tr/two.yaml:1: translationOf: there is no English two that can be read.",
    ];
    assert_eq!(errors.len(), starts.len(), "{errors:#?}");
    for (error, start) in errors.iter().zip(starts) {
        assert!(error.starts_with(start), "{error} does not start with {start}");
    }
    assert!(
        read(&dir)
            .files
            .iter()
            .all(|file| !file.name.ends_with("one.yaml") || file.name.starts_with("en"))
    );
}

#[test]
fn error_of_the_english_page_is_reported_once_and_on_its_own_line() {
    let dir = Dir::with(&["en", "tr"]);
    dir.text("en/one.yaml", "/one", "");
    dir.write("tr/one.yaml", "translationOf: en\nseo: { title: Bir }\n");
    let errors = errors(&dir);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert!(
        errors[0].starts_with("en/one.yaml:5: sections[0].markdown: "),
        "{errors:#?}"
    );
}

#[test]
fn a_name_taken_by_another_ending_is_an_error() {
    let dir = Dir::with(&["en", "tr"]);
    dir.text("en/one.json", "/one", "Hello");
    dir.text("en/one.yaml", "/two", "Hello");
    assert!(errors(&dir)[0].starts_with("en/one.yaml:1: another file has the same name"));
}

#[test]
fn records_are_read_from_their_folder_and_translated_alike() {
    let dir = Dir::with(&["en", "tr"]);
    dir.write(
        "en/records/hero.yaml",
        "componentName: HeroComponent\nsection: { componentName: Heading, id: a, text: Breathe }\n",
    );
    dir.write(
        "tr/records/hero.yaml",
        "translationOf: en\nsection: { text: Nefes }\n",
    );
    dir.write("tr/records/lost.yaml", "componentName: Hologram\n");
    let read = read(&dir);
    let file = read
        .files
        .iter()
        .find(|file| file.name == "tr/records/hero.yaml")
        .unwrap();
    assert!(
        file.validated.document().contains("Nefes"),
        "{}",
        file.validated.document()
    );
    let errors = errors(&dir);
    assert!(
        errors.len() == 1 && errors[0].starts_with("tr/records/lost.yaml:1: "),
        "{errors:#?}"
    );
}

#[test]
fn shipped_payment_pages_end_with_logos_and_links() {
    let shipped = SeedDir::read_now(Path::new(SHIPPED)).unwrap();
    let mut pages = 0;
    for file in &shipped.files {
        let page = file.tree.to_json();
        if page["pageType"] != "payment" {
            continue;
        }
        pages += 1;
        let last = page["sections"]
            .as_array()
            .and_then(|sections| sections.last())
            .unwrap();
        assert_eq!(last["componentName"], "PaymentFooter", "{}", file.name);
        for part in ["logos", "links"] {
            let items = last[part].as_array().map_or(0, Vec::len);
            assert!(items > 0, "{} has no {part}", file.name);
        }
    }
    assert!(pages > 100, "{pages} payment pages of all locales");
}
