//! Detects card numbers and phone numbers in values of browser events.
use std::ops::RangeInclusive;

/// First four digits and lengths of payment cards. Ids of campaigns and advertisements have similar lengths and must stay.
const SCHEMES: [(RangeInclusive<u32>, RangeInclusive<usize>); 10] = [
    // Visa, Mastercard (old and new), American Express and Diners Club.
    (4000..=4999, 13..=19),
    (5100..=5599, 16..=16),
    (2221..=2720, 16..=16),
    (3400..=3799, 14..=16),
    (3000..=3099, 14..=19),
    // JCB and Diners Club, Mir, UnionPay and Discover, Maestro, Troy.
    (3528..=3899, 14..=19),
    (2200..=2204, 16..=19),
    (6000..=6999, 16..=19),
    (5600..=5899, 16..=19),
    (9792..=9792, 16..=16),
];
const CARD_DIGITS_MAX: usize = 19;
/// Digits of an international phone number (ITU-T E.164). Shorter ones cannot be distinguished from other numbers.
const PHONE_DIGITS: RangeInclusive<usize> = 8..=15;
/// Digits of a national number with its trunk prefix 0. A UUID's last group is as long, but the whole UUID is one token.
const TRUNK_DIGITS: RangeInclusive<usize> = 10..=12;
/// Digits of a number of Russia or Kazakhstan with its trunk prefix 8.
const EIGHT_DIGITS: usize = 11;
/// Fields whose name contains one of these hold phone numbers in any form.
const PHONE_NAMES: [&str; 6] = ["phone", "mobile", "msisdn", "whatsapp", "telephone", "gsm"];

/// Whether whole groups of digits, with blanks or dashes between them, make a card number by its first digits, its length and its check
/// digit.
pub fn contains_card_number(value: &str) -> bool {
    runs(value, is_in_card).into_iter().any(|run| {
        let groups: Vec<&str> = run.split(|c: char| !c.is_ascii_digit()).collect();
        (0..groups.len()).any(|start| begins_a_card(groups.get(start..).unwrap_or_default()))
    })
}

/// Whether the value holds a number in international form (`+90 532…`, `0090532…`), one in groups as people write them, a national one
/// without groups (`0532…`), or any of that length in a field named so.
pub fn contains_phone_number(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_id = name.ends_with("id");
    if !is_id && tokens(value).any(is_national) {
        return true;
    }
    let is_named = PHONE_NAMES.iter().any(|known| name.contains(known));
    let value = value.replace("%2B", "+").replace("%2b", "+");
    runs(&value, is_in_phone).into_iter().any(|run| {
        let (is_abroad, own) = match run.strip_prefix("00") {
            Some(own) => (true, own),
            None => (run.starts_with('+'), run),
        };
        let digits = own.bytes().filter(u8::is_ascii_digit).count();
        PHONE_DIGITS.contains(&digits) && (is_named || is_abroad || is_grouped(run))
    })
}

/// Parts of a text that blanks, slashes and the like divide. Decimals, UUIDs and parameters (`name=value`) stay whole.
fn tokens(value: &str) -> impl Iterator<Item = &str> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ',' | '=');
    let parts = value.split(move |c: char| !is_inner(c));
    parts.map(|part| part.trim_matches(['.', ',']))
}

/// `05321234567`, `0612345678`, `89161234567`: without groups, but with a trunk prefix. Amounts, Unix times and ids do not begin with a
/// single zero. Ids of advertisements may look like a number with an 8, so parameters may hold those.
fn is_national(token: &str) -> bool {
    let number = token.rsplit('=').next().unwrap_or_default();
    let is_parameter = number.len() < token.len();
    let is_dialled = match number.as_bytes() {
        [b'0', b'1'..=b'9', ..] => TRUNK_DIGITS.contains(&number.len()),
        [b'8', b'7' | b'9', ..] => number.len() == EIGHT_DIGITS && !is_parameter,
        _ => false,
    };
    is_dialled && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn begins_a_card(groups: &[&str]) -> bool {
    let mut digits: Vec<u32> = Vec::new();
    for group in groups {
        digits.extend(group.chars().filter_map(|c| c.to_digit(10)));
        if digits.len() > CARD_DIGITS_MAX {
            return false;
        }
        if is_card(&digits) {
            return true;
        }
    }
    false
}

fn is_card(digits: &[u32]) -> bool {
    let Some(first) = digits.get(..4) else {
        return false;
    };
    let first = first.iter().fold(0, |number, digit| number * 10 + digit);
    let is_issued = SCHEMES
        .iter()
        .any(|(begins, lengths)| begins.contains(&first) && lengths.contains(&digits.len()));
    is_issued && passes_check(digits)
}

/// The check digit of ISO/IEC 7812, by Luhn.
fn passes_check(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => *digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// `(555) 010-0199`, `0532 123 45 67`, `555-010-0199`. Dates and versions are written in other groups.
fn is_grouped(run: &str) -> bool {
    let groups: Vec<usize> = run
        .split(|c: char| !c.is_ascii_digit())
        .map(str::len)
        .filter(|length| *length > 0)
        .collect();
    let is_date = matches!(groups.as_slice(), [2, 2, 4] | [4, 2, 2]);
    let is_dialled = (run.starts_with('0') || run.starts_with('(')) && groups.len() >= 3;
    let is_american = groups == [3, 3, 4];
    !is_date && !run.contains('.') && (is_dialled || is_american)
}

fn is_in_card(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ' ' | '-' | '\u{a0}')
}

fn is_in_phone(c: char) -> bool {
    is_in_card(c) || matches!(c, '(' | ')' | '+' | '.')
}

/// The longest parts of a text of digits and of what may stand among them. None that touches a letter: that is a part of an id or a hash.
fn runs(value: &str, belongs: fn(char) -> bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in value.char_indices().chain([(value.len(), 'x')]) {
        match (start, belongs(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.extend(trimmed(value, from, at));
                start = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    found
}

fn trimmed(value: &str, from: usize, to: usize) -> Option<&str> {
    let is_edge = |c: char| !c.is_ascii_digit();
    let run = value.get(from..to)?;
    let digits = run.trim_matches(is_edge);
    let before = run.len() - run.trim_start_matches(is_edge).len();
    let from_sign = run.get(..before)?.ends_with(['+', '(']);
    let start = from + before - usize::from(from_sign);
    let end = from + before + digits.len();
    let touches = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let is_apart =
        !touches(value.get(..start)?.chars().next_back()) && !touches(value.get(end..)?.chars().next());
    (is_apart && !digits.is_empty())
        .then(|| value.get(start..end))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_numbers_are_found_however_they_are_written() {
        for given in [
            "4242424242424242",
            "4242 4242 4242 4242",
            "4242-4242-4242-4242",
            "my card is 5555555555554444!",
            "/en/payment/5555555555554444/",
            "378282246310005",
            "6011111111111117",
            "2223003122003222",
            "pan=4242424242424242&x=1",
        ] {
            assert!(contains_card_number(given), "{given}");
        }
        for given in [
            "4242424242424243",
            "1763928000000",
            "424242",
            "0199f0a4-6c1e-7cc0-9f3a-2b1d5f8a7c11",
            "2026-11-20T12:00:00.000Z",
            // Of an advertisement, and within a hash.
            "23847198374918206",
            "a4242424242424242f",
            "",
        ] {
            assert!(!contains_card_number(given), "{given}");
        }
    }

    #[test]
    fn phone_numbers_are_found_by_their_form_or_by_the_fields_name() {
        for given in [
            "+905321234567",
            "+90 532 123 45 67",
            "call +1 (555) 010-0199 now",
            "00905321234567",
            "0532 123 45 67",
            "(555) 010-0199",
            "555-010-0199",
            "%2B905321234567",
        ] {
            assert!(contains_phone_number("text", given), "{given}");
        }
        for name in ["phone", "phoneNumber", "user_mobile"] {
            assert!(contains_phone_number(name, "5321234567"), "{name}");
        }
        for given in [
            "5321234567",
            "1763928000000",
            "2026-11-20",
            "20-11-2026",
            "03-11-2026",
            "1.2.3.4",
            "+3 days",
            "1 + 2",
            "12 345 678",
            "a0012345678b",
            "",
        ] {
            assert!(!contains_phone_number("text", given), "{given}");
        }
        assert!(!contains_phone_number("phone_model", "iPhone 16"));
    }
    #[test]
    fn national_numbers_are_found_without_groups() {
        for given in [
            "05321234567",
            "call 05321234567.",
            "tel:05321234567",
            "0612345678",
            "017612345678",
            "89161234567",
            "87011234567",
            "/en/payment/05321234567/",
            "/en/?utm_content=05321234567",
        ] {
            assert!(contains_phone_number("text", given), "{given}");
        }
        for given in [
            // Unix time, amounts, a ratio, and ids of advertisements.
            "1763928000",
            "1763928000000",
            "129900",
            "0.05123456789",
            "12345678901",
            "89161234567890",
            "/en/?adid=89161234567",
            "0199f0a4-6c1e-7cc0-9f3a-021345678901",
            "svo_0512345678",
        ] {
            assert!(!contains_phone_number("text", given), "{given}");
        }
        for id in ["adid", "order_id", "campaignId"] {
            assert!(!contains_phone_number(id, "89161234567"), "{id}");
        }
    }
}
