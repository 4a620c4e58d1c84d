use super::*;
use crate::seed_dir::testing::Dir;

const HERO: &str = "{ componentName: Hero, id: hero, title: Breathe }";

fn said(dir: &Dir) -> Vec<String> {
    let read = SeedDir::read_now(&dir.0).unwrap();
    let findings = check(&read, None).into_iter();
    // English pages of these tests are written in no other language.
    findings
        .filter(|finding| finding.code != "MISSING_LOCALES")
        .map(|finding| finding.to_string())
        .collect()
}

/// What is said begins like this, one for one.
fn says(dir: &Dir, starts: &[&str]) {
    let said = said(dir);
    assert_eq!(said.len(), starts.len(), "{said:#?}");
    for (finding, start) in said.iter().zip(starts) {
        assert!(
            finding.starts_with(start) && finding.contains(" Fix: "),
            "{finding} does not start with {start}"
        );
    }
}

#[test]
fn a_good_site_has_no_findings() {
    let dir = Dir::complete();
    dir.page(
        "en/one.yaml",
        "/one",
        &[
            HERO,
            "{ componentName: MarkdownText, markdown: \"[home](/one/) [top](#hero)\" }",
        ],
    );
    dir.write(
        "tr/one.yaml",
        "translationOf: en\nseo: { title: B }\nsections: { hero: { title: Nefes } }\n",
    );
    says(&dir, &[]);
}

#[test]
fn a_link_that_leads_nowhere_is_found_in_fields_texts_and_breadcrumbs() {
    let dir = Dir::complete();
    let buttons = "{ componentName: Hero, title: A, buttons: [ { text: Go, url: /nowhere?a=b } ] }";
    dir.page(
        "en/one.yaml",
        "/one",
        &[
            buttons,
            "{ componentName: MarkdownText, markdown: \"[no](/no) [page](#no)\" }",
        ],
    );
    dir.write(
        "en/two.yaml",
        "urlPath: /two\ntemplate: Page\nseo:\n  title: T\n  breadcrumbs:\n    - { name: No, url: /gone }\nsections:\n  - { componentName: Hero, title: A }\n",
    );
    says(
        &dir,
        &[
            "en/one.yaml:5: sections[0].buttons[0].url: /nowhere is not a page of this directory.",
            "en/one.yaml:6: sections[1]: /no is not a page of this directory.",
            "en/one.yaml:6: sections[1].markdown: no part of this page has the id no.",
            "en/two.yaml:6: seo.breadcrumbs[0].url: /gone is not a page of this directory.",
        ],
    );
}

#[test]
fn a_link_to_the_english_page_is_good_in_every_locale_and_one_to_another_locale_is_not() {
    let dir = Dir::complete();
    dir.page("en/one.yaml", "/one", &[HERO]);
    dir.page(
        "tr/iki.yaml",
        "/iki",
        &[HERO, "{ componentName: MarkdownText, markdown: \"[one](/one)\" }"],
    );
    dir.page(
        "de/drei.yaml",
        "/drei",
        &[HERO, "{ componentName: MarkdownText, markdown: \"[two](/iki)\" }"],
    );
    says(
        &dir,
        &["de/drei.yaml:6: sections[1]: /iki is not a page of this directory."],
    );
}

#[test]
fn inherited_error_is_reported_once_for_the_english_file() {
    let dir = Dir::complete();
    dir.page(
        "en/one.yaml",
        "/one",
        &["{ componentName: Hero, id: hero, title: A, buttons: [ { text: Go, url: /no } ] }"],
    );
    for locale in ["tr", "de"] {
        dir.write(
            &format!("{locale}/one.yaml"),
            "translationOf: en\nsections: { hero: { title: B } }\n",
        );
    }
    says(
        &dir,
        &["en/one.yaml:5: sections[0].buttons[0].url: /no is not a page"],
    );
}

#[test]
fn a_locale_without_menu_is_an_error_and_a_page_that_is_not_translated_a_warning() {
    let dir = Dir::with(&["en", "tr"]);
    dir.page("en/one.yaml", "/one", &[HERO]);
    dir.write(
        "tr/one.yaml",
        "translationOf: en\nsections: { hero: { title: Nefes } }\n",
    );
    let read = SeedDir::read_now(&dir.0).unwrap();
    let findings: Vec<String> = check(&read, None).iter().map(ToString::to_string).collect();
    assert_eq!(findings.len(), 13, "{findings:#?}");
    assert!(findings[0].starts_with("ar/navigation.yaml:1: ar has no navigation and footer. Fix: "));
    assert!(
        findings.iter().any(|finding| finding.starts_with(
            "en/one.yaml:1: warning: is not written in es, de, fr, pt, ru, ja, ar, it, ko. Fix: "
        )),
        "{findings:#?}"
    );
}

#[test]
fn a_text_left_in_english_is_a_warning_at_the_nearest_line_of_the_translation() {
    let dir = Dir::complete();
    dir.page(
        "en/one.yaml",
        "/one",
        &["{ componentName: Hero, id: hero, title: Find the still point, description: One two three four five six seven, proofLine: Stillpoint }"],
    );
    dir.write(
        "tr/one.yaml",
        "translationOf: en\nsections:\n  hero:\n    title: Find the still point\n    proofLine: Stillpoint\n",
    );
    says(
        &dir,
        &[
            "tr/one.yaml:3: warning: sections[0].description: is the English text, “One two three four five six …”.",
            "tr/one.yaml:4: warning: sections[0].title: is the English text, “Find the still point”.",
        ],
    );
}

#[test]
fn a_page_that_is_not_the_same_for_search_engines_in_every_language_is_refused() {
    let dir = Dir::complete();
    dir.page("en/one.yaml", "/one", &[HERO]);
    dir.page("tr/one.yaml", "/bir", &[HERO]);
    dir.write("de/one.yaml", "urlPath: /one\ntemplate: Page\nseo:\n  title: T\n  noindex: true\nsections:\n  - { componentName: Hero, title: A }\n");
    says(
        &dir,
        &[
            "de/one.yaml:5: seo.noindex: is true, and false in English.",
            "tr/one.yaml:1: urlPath: is /bir, and /one in English",
        ],
    );
}

#[test]
fn a_canonical_path_leads_to_a_page_that_stands_for_itself() {
    let dir = Dir::complete();
    let page = |name: &str, canonical: &str| {
        let head =
            format!("urlPath: /{name}\ntemplate: Page\nseo:\n  title: T\n  canonicalPath: {canonical}\n");
        dir.write(
            &format!("en/{name}.yaml"),
            &(head + "sections:\n  - { componentName: Hero, title: A }\n"),
        );
    };
    page("one", "/two");
    page("two", "/three");
    page("three", "/three");
    page("four", "/gone");
    says(
        &dir,
        &[
            "en/four.yaml:5: seo.canonicalPath: /gone is not a page of this directory.",
            "en/one.yaml:5: seo.canonicalPath: /two names /three in turn.",
        ],
    );
}

#[test]
fn the_outline_has_one_title_and_no_step_left_out() {
    let dir = Dir::complete();
    let heading = |tag: &str| format!("{{ componentName: Heading, text: A, tag: {tag} }}");
    dir.page("en/none.yaml", "/none", &[&heading("h2")]);
    dir.page(
        "en/skip.yaml",
        "/skip",
        &[HERO, &heading("h2"), &heading("h4"), &heading("h2")],
    );
    dir.page(
        "en/two.yaml",
        "/two",
        &[HERO, "{ componentName: MarkdownText, markdown: \"# Again\" }"],
    );
    says(
        &dir,
        &[
            "en/none.yaml:4: sections: the page has no h1.",
            "en/skip.yaml:7: sections[2].text: is an h4 after an h2. Fix: make it an h3.",
            "en/two.yaml:6: sections[1].markdown: is a second h1; the first is sections[0].title.",
        ],
    );
}

#[test]
fn the_profile_form_below_a_success_page_is_no_second_title() {
    let dir = Dir::complete();
    let sections = "sections:\n  - { componentName: Hero, title: A }\n  - { componentName: UserProfileUpdate, title: B }\n";
    for (name, template) in [("one", "SuccessPageTemplateWithUpdateProfile"), ("two", "Page")] {
        let head = format!("urlPath: /{name}\ntemplate: {template}\nseo: {{ title: T }}\n");
        dir.write(&format!("en/{name}.yaml"), &(head + sections));
    }
    says(&dir, &["en/two.yaml:6: sections[1].title: is a second h1"]);
}

#[test]
fn pictures_say_what_they_show() {
    let dir = Dir::complete();
    let picture = "{ componentName: Picture, image: { url: /art/waves/a.svg, alt: waves-01.svg } }";
    dir.page(
        "en/one.yaml",
        "/one",
        &[
            HERO,
            picture,
            "{ componentName: MarkdownText, markdown: \"![](/a.svg)\" }",
        ],
    );
    says(
        &dir,
        &[
            "en/one.yaml:6: sections[1].image.alt: is the name of a file.",
            "en/one.yaml:7: sections[2].markdown: has a picture without words.",
        ],
    );
}

#[test]
fn chosen_colours_can_be_read_and_are_known() {
    let dir = Dir::complete();
    let hero = |button: &str| {
        format!(
            "{{ componentName: Hero, title: A, buttons: [ {{ text: Go, url: \"https://a.example/\", {button} }} ] }}"
        )
    };
    dir.page(
        "en/fine.yaml",
        "/fine",
        &[&hero("color: \"#ffffff\", backgroundColor: action")],
    );
    dir.page(
        "en/pale.yaml",
        "/pale",
        &[&hero("color: gold, backgroundColor: violet")],
    );
    dir.page("en/pink.yaml", "/pink", &[&hero("color: hotpink")]);
    dir.page(
        "en/veil.yaml",
        "/veil",
        &[&hero("backgroundColor: \"#6953bb80\"")],
    );
    says(
        &dir,
        &[
            "en/pale.yaml:5: sections[0].buttons[0].color: gold on violet has a contrast of 3.7",
            "en/pink.yaml:5: sections[0].buttons[0].color: must be a colour as #6953bb, or one of white, paper, ",
            "en/veil.yaml:5: sections[0].buttons[0].backgroundColor: must be a colour as #6953bb, or one of white, paper, ",
        ],
    );
}

#[test]
fn colours_that_the_page_would_not_draw_are_errors() {
    let dir = Dir::complete();
    let banner = |colour: &str| {
        format!(
            "{{ componentName: CallToActionBanner, title: A, button: {{ text: Go, url: \"https://a.example/\" }}, background: \"{colour}\" }}"
        )
    };
    let badge = |colours: &str| {
        format!("{{ componentName: PriceBadge, badge: {{ discountText: Half, gradient: \"{colours}\" }} }}")
    };
    let stars = |colour: &str| {
        format!(
            "{{ componentName: CommentBox, comments: [ {{ starCount: 5, starColor: \"{colour}\", name: Ada, comment: Calm }} ] }}"
        )
    };
    let heading = |colours: &str| format!("{{ componentName: Heading, text: B, gradient: \"{colours}\" }}");
    let with_hero = |blocks: [String; 4]| [HERO.to_owned()].into_iter().chain(blocks).collect::<Vec<_>>();
    let fine = with_hero([
        banner("#f2c76e"),
        badge("#fff3d6, gold"),
        stars("#6953bb"),
        heading("#2f2a63, action"),
    ]);
    let pale = with_hero([
        banner("#7d7a8c"),
        badge("#fff3d6, night"),
        stars("gold"),
        heading("#2f2a63, gold"),
    ]);
    for (path, url, blocks) in [("en/fine.yaml", "/fine", fine), ("en/pale.yaml", "/pale", pale)] {
        dir.page(path, url, &blocks.iter().map(String::as_str).collect::<Vec<_>>());
    }
    says(
        &dir,
        &[
            "en/pale.yaml:6: sections[1].background: neither white nor ink is readable on #7d7a8c; both need a contrast of 4.50",
            "en/pale.yaml:7: sections[2].badge.gradient: neither white nor ink is readable on #fff3d6, night; both",
            "en/pale.yaml:8: sections[3].comments[0].starColor: gold on paper has a contrast of 1.5",
            "en/pale.yaml:9: sections[4].gradient: gold on paper has a contrast of 1.5",
        ],
    );
}

#[test]
fn texts_too_long_for_their_place_are_warnings() {
    let dir = Dir::complete();
    let long = "a".repeat(71);
    dir.write(
        "en/one.yaml",
        &format!("urlPath: /one\ntemplate: Page\nseo:\n  title: {long}\n  description: {long}{long}{long}\nsections:\n  - {{ componentName: Hero, title: {long} }}\n"),
    );
    says(
        &dir,
        &[
            "en/one.yaml:4: warning: seo.title: has 71 characters; there is room for 65.",
            "en/one.yaml:5: warning: seo.description: has 213 characters; there is room for 170.",
            "en/one.yaml:7: warning: sections[0].title: has 71 characters; there is room for 70.",
        ],
    );
}

#[test]
fn filler_is_refused_and_dates_of_structured_data_are_dates() {
    let dir = Dir::complete();
    dir.page(
        "en/one.yaml",
        "/one",
        &["{ componentName: Hero, title: \"TODO: write\" }"],
    );
    dir.write(
        "en/two.yaml",
        "urlPath: /two\ntemplate: Page\nseo:\n  title: T\n  article:\n    headline: H\n    authorName: A\n    datePublished: soon\nsections:\n  - { componentName: Hero, title: A }\n",
    );
    says(
        &dir,
        &[
            "en/one.yaml:5: sections[0].title: has “TODO” in it.",
            "en/two.yaml:8: seo.article.datePublished: must be a date",
        ],
    );
}

#[test]
fn what_answers_lead_to_is_matched_by_answers_that_can_be_given() {
    let dir = Dir::complete();
    let categories = "{ componentName: SurveyCategorySelection, title: A, nextPage: /one, continueLabel: Go, categories: [ { id: 101, label: Sleep } ] }";
    let options = "[ { id: well, label: Well }, { id: badly, label: Badly } ]";
    let questions = format!(
        "{{ componentName: SurveyQuestions, title: A, startPage: /one, beginLabel: Go, nextPage: /one, questions: [ {{ id: nights, title: How, categories: [101, 102], options: {options} }} ] }}"
    );
    let meditations = "[ { title: T, meditationUrl: /one, meditationDuration: 5 } ]";
    let suggestion = format!(
        "{{ componentName: SuggestedProgramPage, title: A, meditations: {meditations}, programs: [ {{ id: sleep, title: S, meditations: {meditations}, matches: [ {{ question: categories, option: \"101\" }}, {{ question: nights, option: often }} ] }} ] }}"
    );
    let items = "[ { title: I } ]";
    let content = format!(
        "{{ componentName: DynamicProgramContent, title: A, items: {items}, programs: [ {{ id: sleep, title: S, items: {items} }}, {{ id: focus, title: F, items: {items} }} ] }}"
    );
    dir.page("en/one.yaml", "/one", &[categories]);
    dir.page("en/two.yaml", "/two", &[&questions]);
    dir.page("en/three.yaml", "/three", &[&suggestion]);
    dir.page("en/four.yaml", "/four", &[&content]);
    says(
        &dir,
        &[
            "en/four.yaml:5: sections[0].programs[1].id: no page suggests the programme focus.",
            "en/three.yaml:5: sections[0].programs[0].matches[1]: no survey has the option often of the question nights.",
            "en/two.yaml:5: sections[0].questions[0].categories: no page offers the category 102.",
        ],
    );
}
