//! What a survey asks, and what its answers lead to: programmes are matched by answers that can be given, and a programme's own
//! page shows programmes that can be suggested.

use std::collections::BTreeSet;

use blocks::{DynamicProgramContent, Model, SuggestedProgramPage, SurveyCategorySelection, SurveyQuestions};

use super::site::{LintFile, Site};
use crate::domain::{Locale, PageDraft};
use crate::seed_dir::LintFinding;

const CATEGORIES: &str = "categories";

/// Everything that surveys and programmes name by id; the same in every locale.
#[derive(Default)]
struct Known {
    /// Question and option.
    answers: BTreeSet<(String, String)>,
    programs: BTreeSet<String>,
}

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    let english = || site.pages().filter(|(file, _)| file.locale == Locale::default());
    let mut known = Known::default();
    for (_, page) in english() {
        known.add(page);
    }
    for (file, page) in english() {
        matches(file, page, &known, findings);
        programs(file, page, &known, findings);
        categories(file, page, &known, findings);
    }
}

impl Known {
    fn add(&mut self, page: &PageDraft) {
        for (_, block) in blocks_of::<SurveyQuestions>(page) {
            for question in block.questions {
                let options = question.options.into_iter();
                self.answers
                    .extend(options.map(|option| (question.id.clone(), option.id)));
            }
        }
        for (_, block) in blocks_of::<SurveyCategorySelection>(page) {
            let numbers = block.categories.iter().filter_map(|category| category.id.given());
            self.answers
                .extend(numbers.map(|number| (CATEGORIES.to_owned(), number.to_string())));
        }
        for (_, block) in blocks_of::<SuggestedProgramPage>(page) {
            self.programs
                .extend(block.programs.into_iter().map(|program| program.id));
        }
    }
}

fn blocks_of<M: Model>(page: &PageDraft) -> impl Iterator<Item = (usize, M)> + '_ {
    let sections = page.sections.iter().enumerate();
    sections
        .filter(|(_, section)| section.component_name == M::NAME)
        .filter_map(|(index, section)| Some((index, blocks::parse_record(&section.props).ok()?)))
}

fn matches(file: &LintFile<'_>, page: &PageDraft, known: &Known, findings: &mut Vec<LintFinding>) {
    for (index, block) in blocks_of::<SuggestedProgramPage>(page) {
        for (nth, program) in block.programs.iter().enumerate() {
            for (place, answer) in program.matches.iter().enumerate() {
                if !known
                    .answers
                    .contains(&(answer.question.clone(), answer.option.clone()))
                {
                    let field = format!("sections[{index}].programs[{nth}].matches[{place}]");
                    let finding = file.error(&field, "UNKNOWN_ANSWER");
                    let finding = finding.message(format!(
                        "no survey has the option {} of the question {}",
                        answer.option, answer.question
                    ));
                    findings.push(finding.fix("name a question and an option of a SurveyQuestions block."));
                }
            }
        }
    }
}

fn programs(file: &LintFile<'_>, page: &PageDraft, known: &Known, findings: &mut Vec<LintFinding>) {
    for (index, block) in blocks_of::<DynamicProgramContent>(page) {
        for (nth, program) in block.programs.iter().enumerate() {
            if !known.programs.contains(&program.id) {
                let finding = file.error(
                    &format!("sections[{index}].programs[{nth}].id"),
                    "UNKNOWN_PROGRAM",
                );
                let finding = finding.message(format!("no page suggests the programme {}", program.id));
                findings.push(finding.fix("name a programme of a SuggestedProgramPage block."));
            }
        }
    }
}

/// A question for a category that no page offers is never asked.
fn categories(file: &LintFile<'_>, page: &PageDraft, known: &Known, findings: &mut Vec<LintFinding>) {
    for (index, block) in blocks_of::<SurveyQuestions>(page) {
        for (nth, question) in block.questions.iter().enumerate() {
            for number in &question.categories {
                if !known
                    .answers
                    .contains(&(CATEGORIES.to_owned(), number.to_string()))
                {
                    let field = format!("sections[{index}].questions[{nth}].categories");
                    let finding = file.error(&field, "UNKNOWN_CATEGORY");
                    let finding = finding.message(format!("no page offers the category {number}"));
                    findings.push(finding.fix("name a category of a SurveyCategorySelection block."));
                }
            }
        }
    }
}
