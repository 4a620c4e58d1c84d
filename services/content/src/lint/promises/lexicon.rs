//! Running text as the few kinds of words that make a promise.

use std::collections::HashMap;

use crate::lint::amount::plain;

/// Shorter number words begin too many other words: Turkish `on` is ten, `onay` a consent.
const SHORTEST_GLUED: usize = 3;

/// The words of a language. An entry may be several words; a `*` at its end stands for any ending.
pub struct Language {
    /// False where words are not parted by spaces.
    pub spaced: bool,
    pub numbers: &'static [(&'static str, u32)],
    /// What counts as one before a week or a month: “a week”.
    pub articles: &'static [&'static str],
    pub days: &'static [&'static str],
    pub weeks: &'static [&'static str],
    pub months: &'static [&'static str],
    /// Times in one word, in days.
    pub spans: &'static [(&'static str, u32)],
    /// The same, said to be free by the word itself.
    pub free_spans: &'static [(&'static str, u32)],
    /// A week or month alone, without number or article, is one.
    pub bare_units: bool,
    /// Costing nothing: a promise beside a time.
    pub free: &'static [&'static str],
    /// A promise also without a time.
    pub trial: &'static [&'static str],
    /// Looks like `free` and is not: “feel free”.
    pub harmless: &'static [&'static str],
    /// Separates a time from a trial whose length it does not state: “two days before the trial ends”.
    pub apart: &'static [&'static str],
    /// Has a length of its own: “a free 14-day programme”.
    pub things: &'static [&'static str],
    pub negations: &'static [&'static str],
    pub discounts: &'static [&'static str],
    pub half_price: &'static [&'static str],
    pub percent: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Number(u32),
    Article,
    Unit(Unit),
    /// In days.
    Span(u32),
    /// In days.
    FreeSpan(u32),
    Free,
    Trial,
    Harmless,
    Apart,
    Thing,
    Negation,
    Discount,
    HalfPrice,
    Percent,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Day,
    Week,
    Month,
}

/// A language made ready for reading.
pub struct Lexicon {
    pub spaced: bool,
    pub bare_units: bool,
    /// By first word, or by first letter where words are not parted.
    entries: HashMap<String, Vec<Entry>>,
    /// Entries of one word with any ending.
    stems: Vec<(String, Token)>,
    numbers: Vec<(String, u32)>,
}

struct Entry {
    words: Vec<String>,
    open: bool,
    token: Token,
}

impl Lexicon {
    pub fn of(language: &Language) -> Self {
        let mut lexicon = Self {
            spaced: language.spaced,
            bare_units: language.bare_units,
            entries: HashMap::new(),
            stems: Vec::new(),
            numbers: Vec::new(),
        };
        for (word, number) in language.numbers {
            lexicon.add(word, Token::Number(*number));
            lexicon.numbers.push((normal(word), *number));
        }
        for (word, days) in language.spans {
            lexicon.add(word, Token::Span(*days));
        }
        for (word, days) in language.free_spans {
            lexicon.add(word, Token::FreeSpan(*days));
        }
        for (words, token) in [
            (language.articles, Token::Article),
            (language.days, Token::Unit(Unit::Day)),
            (language.weeks, Token::Unit(Unit::Week)),
            (language.months, Token::Unit(Unit::Month)),
            (language.free, Token::Free),
            (language.trial, Token::Trial),
            (language.harmless, Token::Harmless),
            (language.apart, Token::Apart),
            (language.things, Token::Thing),
            (language.negations, Token::Negation),
            (language.discounts, Token::Discount),
            (language.half_price, Token::HalfPrice),
            (language.percent, Token::Percent),
        ] {
            for word in words {
                lexicon.add(word, token);
            }
        }
        // The longest entry wins: “nothing to pay” over “nothing”.
        for entries in lexicon.entries.values_mut() {
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.length()));
        }
        lexicon
            .stems
            .sort_by_key(|(stem, _)| std::cmp::Reverse(stem.len()));
        lexicon
    }

    fn add(&mut self, entry: &str, token: Token) {
        let open = entry.ends_with('*');
        let text = normal(entry.trim_end_matches('*'));
        let words: Vec<String> = if self.spaced {
            pieces(&text).into_iter().flatten().collect()
        } else {
            text.chars()
                .filter(|c| !c.is_whitespace())
                .map(String::from)
                .collect()
        };
        match words.as_slice() {
            [] => {}
            [stem] if open && self.spaced => self.stems.push((stem.clone(), token)),
            [first, ..] => {
                let first = first.clone();
                self.entries
                    .entry(first)
                    .or_default()
                    .push(Entry { words, open, token });
            }
        }
    }

    /// The clauses of a text as tokens.
    pub fn read(&self, text: &str) -> Vec<Vec<Token>> {
        let clauses = pieces(&normal(text)).into_iter();
        let read = clauses.map(|words| {
            let words = if self.spaced { words } else { letters(&words) };
            self.tokens(&words)
        });
        read.collect()
    }

    fn tokens(&self, words: &[String]) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(words.len());
        let mut rest = words;
        while let Some(first) = rest.first() {
            let (found, length) = match self.entry_at(rest) {
                Some((token, length)) => (vec![token], length),
                None => (self.single(first), 1),
            };
            tokens.extend(found);
            rest = &rest[length..];
        }
        tokens
    }

    fn entry_at(&self, words: &[String]) -> Option<(Token, usize)> {
        let entries = self.entries.get(words.first()?)?;
        let found = entries.iter().find(|entry| entry.begins(words))?;
        Some((found.token, found.words.len()))
    }

    /// A word that is no entry as it stands.
    fn single(&self, word: &str) -> Vec<Token> {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return vec![word.parse().map_or(Token::Other, Token::Number)];
        }
        if word == "%" {
            return vec![Token::Percent];
        }
        if !self.spaced {
            return vec![Token::Other];
        }
        self.stem(word)
            .map(|token| vec![token])
            .or_else(|| self.glued(word))
            .or_else(|| self.without_article(word))
            .unwrap_or_else(|| vec![Token::Other])
    }

    fn stem(&self, word: &str) -> Option<Token> {
        let known = self.entries.get(word).into_iter().flatten();
        let whole = known.into_iter().find(|entry| entry.words.len() == 1);
        let stem = || {
            self.stems
                .iter()
                .find(|(stem, _)| word.starts_with(stem.as_str()))
        };
        whole
            .map(|entry| entry.token)
            .or_else(|| stem().map(|(_, token)| *token))
    }

    /// `siebentägig`, `семидневный`: a number and a time in one word.
    fn glued(&self, word: &str) -> Option<Vec<Token>> {
        self.numbers.iter().find_map(|(number, value)| {
            let is_telling = number.chars().count() >= SHORTEST_GLUED;
            let rest = word
                .strip_prefix(number.as_str())
                .filter(|rest| is_telling && !rest.is_empty())?;
            match self.stem(rest)? {
                unit @ Token::Unit(_) => Some(vec![Token::Number(*value), unit]),
                _ => None,
            }
        })
    }

    /// Arabic writes “and”, “for”, “in” and “the” onto the word.
    fn without_article(&self, word: &str) -> Option<Vec<Token>> {
        const ATTACHED: [&str; 9] = ["وال", "بال", "فال", "لل", "ال", "و", "ب", "ل", "ف"];
        let mut rests = ATTACHED
            .into_iter()
            .filter_map(|prefix| word.strip_prefix(prefix));
        rests.find_map(|rest| self.stem(rest)).map(|token| vec![token])
    }
}

impl Entry {
    fn length(&self) -> usize {
        self.words.iter().map(String::len).sum()
    }

    fn begins(&self, words: &[String]) -> bool {
        let Some((last, others)) = self.words.split_last() else {
            return false;
        };
        let Some((found, head)) = words.get(..self.words.len()).and_then(<[String]>::split_last) else {
            return false;
        };
        let last_fits = if self.open {
            found.starts_with(last.as_str())
        } else {
            found == last
        };
        last_fits && head == others
    }
}

/// Lower case, one script of digits, and no marks that may as well be left out.
fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for letter in text.chars().map(plain) {
        match letter {
            // Arabic vowel signs, the stretched line, and the dot that lower-casing İ leaves over.
            '\u{64b}'..='\u{652}' | '\u{640}' | '\u{307}' => {}
            'أ' | 'إ' | 'آ' => normal.push('ا'),
            'ё' | 'Ё' => normal.push('е'),
            'İ' => normal.push('i'),
            '٪' | '％' => normal.push('%'),
            other => normal.extend(other.to_lowercase()),
        }
    }
    normal
}

/// The clauses of a text as words and numbers; a mark of punctuation that parts clauses begins the next.
fn pieces(text: &str) -> Vec<Vec<String>> {
    let mut clauses = vec![Vec::new()];
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_digit = letter.is_ascii_digit();
        let goes_on = match word.chars().last() {
            None => true,
            Some('.' | ',') => is_digit,
            Some(last) => last.is_ascii_digit() == is_digit,
        };
        let in_number = matches!(letter, '.' | ',')
            && word.ends_with(|c: char| c.is_ascii_digit())
            && letters.peek().is_some_and(char::is_ascii_digit);
        if in_number {
            word.push(letter);
        } else if letter.is_alphanumeric() {
            if !goes_on {
                finish(&mut clauses, &mut word);
            }
            word.push(letter);
        } else {
            finish(&mut clauses, &mut word);
            match letter {
                '%' => finish(&mut clauses, &mut "%".to_owned()),
                ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '\n' | '–' | '—' | '、' | '。' | '！'
                | '？' | '：' | '；' | '（' | '）' | '،' | '؛' | '؟' | '·' | '|' => {
                    clauses.push(Vec::new());
                }
                _ => {}
            }
        }
    }
    finish(&mut clauses, &mut word);
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

fn finish(clauses: &mut [Vec<String>], word: &mut String) {
    if let Some(clause) = clauses.last_mut().filter(|_| !word.is_empty()) {
        clause.push(std::mem::take(word));
    }
}

/// In scripts without spaces every letter is a word of its own; numbers stay whole.
fn letters(words: &[String]) -> Vec<String> {
    let split = words.iter().flat_map(|word| {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            vec![word.clone()]
        } else {
            word.chars().map(String::from).collect()
        }
    });
    split.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_parted_and_numbers_stay_whole() {
        assert_eq!(
            pieces(&normal("Try 7-day plans, 69.99 each. %20 İndirim")),
            [
                vec!["try", "7", "day", "plans"],
                vec!["69.99", "each"],
                vec!["%", "20", "indirim"]
            ]
        );
        assert_eq!(pieces(&normal("٧ أيّام")), [vec!["7", "ايام"]]);
    }
}
