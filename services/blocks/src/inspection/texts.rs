//! Texts for readers, and texts for programs.

use super::Inspection;
use crate::error::BlockErrorCode;
use crate::inspection::findings::{CampaignUse, HeadingFound, TextFound};

const LONGEST_TEXT: usize = 50_000;
const FENCES: [&str; 2] = ["```", "~~~"];

impl Inspection {
    /// A text for readers; must not be empty.
    pub(crate) fn required(&mut self, field: &str, text: &str) {
        if text.trim().is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        }
        self.text(field, text);
    }

    pub(crate) fn optional(&mut self, field: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(field, text);
        }
    }

    pub(crate) fn optionals(&mut self, texts: &[(&str, &Option<String>)]) {
        for (field, text) in texts {
            self.optional(field, text.as_deref());
        }
    }

    /// A list of plain texts, none of them empty.
    pub(crate) fn lines(&mut self, field: &str, lines: &[String]) {
        if lines.iter().any(|line| line.trim().is_empty()) {
            self.error(field, BlockErrorCode::Required, "must not have an empty line");
        }
        if self.countable(field, lines.len()) {
            for (index, line) in lines.iter().enumerate() {
                self.text(&format!("{field}[{index}]"), line);
            }
        }
    }

    pub(crate) fn some_lines(&mut self, field: &str, lines: &[String]) {
        self.not_empty(field, lines.len());
        self.lines(field, lines);
    }

    /// The heading of a block, with its place in the page's outline.
    pub(crate) fn heading(&mut self, field: &str, level: u8, text: &str) {
        self.required(field, text);
        self.outline(field, level, text);
        self.level = level;
    }

    pub(crate) fn optional_heading(&mut self, field: &str, level: u8, text: Option<&str>) {
        if let Some(text) = text {
            self.text(field, text);
            self.outline(field, level, text);
            self.level = level;
        }
    }

    /// The heading of an item, one level below the heading of its block, or below the page's if the block has none.
    pub(crate) fn item_heading(&mut self, field: &str, text: &str) {
        self.required(field, text);
        self.outline(field, self.level + 1, text);
    }

    /// Markdown, which may contain headings.
    pub(crate) fn markdown(&mut self, field: &str, markdown: &str) {
        self.required(field, markdown);
        self.outline_of_markdown(field, markdown);
    }

    pub(crate) fn optional_markdown(&mut self, field: &str, markdown: Option<&str>) {
        if let Some(markdown) = markdown {
            self.text(field, markdown);
            self.outline_of_markdown(field, markdown);
        }
    }

    /// A text for programs: a code, an id, an event name.
    pub(crate) fn token(&mut self, field: &str, token: Option<&str>) {
        if let Some(token) = token {
            self.bounded(field, token);
        }
    }

    pub(crate) fn campaign(&mut self, field: &str, campaign: &str, coupon_code: Option<&str>) {
        self.slug(field, campaign);
        self.token("couponCode", coupon_code);
        let field = self.locate(field);
        self.findings.campaigns.push(CampaignUse {
            field,
            campaign: campaign.to_owned(),
            coupon_code: coupon_code.map(str::to_owned),
        });
    }

    /// A date, such as 2026-11-20.
    pub(crate) fn date(&mut self, field: &str, date: Option<&str>) {
        if date.is_some_and(|date| !is_date(date)) {
            self.error(field, BlockErrorCode::NotAllowed, "must be a date as 2026-11-20");
        }
    }

    pub(crate) fn required_date(&mut self, field: &str, date: &str) {
        if date.is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        } else {
            self.date(field, Some(date));
        }
    }

    fn text(&mut self, field: &str, text: &str) {
        self.bounded(field, text);
        if !text.trim().is_empty() {
            let field = self.locate(field);
            self.findings.texts.push(TextFound {
                field,
                text: text.to_owned(),
            });
        }
    }

    /// A heading in the page's outline. The text is inspected separately.
    pub(crate) fn outline(&mut self, field: &str, level: u8, text: &str) {
        let field = self.locate(field);
        self.findings.headings.push(HeadingFound {
            field,
            level,
            text: text.to_owned(),
        });
    }

    fn outline_of_markdown(&mut self, field: &str, markdown: &str) {
        let mut in_code = false;
        for line in markdown.lines().map(str::trim_start) {
            if FENCES.iter().any(|fence| line.starts_with(fence)) {
                in_code = !in_code;
            } else if let Some((level, text)) = heading_of(line).filter(|_| !in_code) {
                self.outline(field, level, text);
            }
        }
    }

    fn bounded(&mut self, field: &str, text: &str) {
        if text.len() > LONGEST_TEXT {
            self.error(
                field,
                BlockErrorCode::TooLong,
                format!("must be at most {LONGEST_TEXT} bytes"),
            );
        }
    }
}

/// `## Sleep ##` is a heading of level 2.
fn heading_of(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start_matches('#');
    let level = u8::try_from(line.len() - text.len()).ok()?;
    let spaced = text.is_empty() || text.starts_with([' ', '\t']);
    ((1..=6).contains(&level) && spaced).then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else {
        return false;
    };
    let number = |part: &str, length| {
        let digits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<u16>().ok()).flatten()
    };
    match (number(year, 4), number(month, 2), number(day, 2)) {
        (Some(year), Some(month @ 1..=12), Some(day)) => (1..=days_in(year, month)).contains(&day),
        _ => false,
    }
}

fn days_in(year: u16, month: u16) -> u16 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_in_markdown_is_marked_by_one_to_six_hashes_and_a_space() {
        assert_eq!(heading_of("## Sleep ##"), Some((2, "Sleep")));
        assert_eq!(heading_of("###### Small"), Some((6, "Small")));
        for other in ["#hashtag", "####### seven", "Sleep # well", ""] {
            assert_eq!(heading_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_date_is_a_day_of_the_calendar() {
        for day in ["2026-11-20", "2028-02-29", "2000-02-29"] {
            assert!(is_date(day), "{day}");
        }
        for other in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-1-1",
            "20.11.2026",
            "2026-11-20T00:00",
            "",
        ] {
            assert!(!is_date(other), "{other}");
        }
    }
}
