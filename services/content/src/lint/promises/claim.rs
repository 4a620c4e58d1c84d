//! What a text promises.

use super::lexicon::{Lexicon, Token, Unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// So many days that cost nothing.
    FreeDays { days: u32, as_said: (u32, Unit) },
    /// A trial, however long.
    Trial,
    /// So many percent off.
    PercentOff(u32),
}

const WEEK: u32 = 7;
const MONTH: u32 = 30;

impl Lexicon {
    /// Every promise of a text.
    pub fn claims(&self, text: &str) -> Vec<Claim> {
        let mut claims = Vec::new();
        for clause in self.read(text) {
            let times = self.free_times(&clause);
            if times.is_empty() && promises_a_trial(&clause) {
                claims.push(Claim::Trial);
            }
            claims.extend(times);
            claims.extend(self.discounts(&clause));
        }
        claims
    }

    /// Every time in a text, whether it is said to be free or not.
    pub fn times(&self, text: &str) -> Vec<Claim> {
        let clauses = self.read(text);
        let found = clauses.iter().flat_map(|clause| {
            let phrases = (0..clause.len()).filter_map(|start| self.time_at(clause, start));
            phrases.map(|phrase| phrase.claim).collect::<Vec<_>>()
        });
        found.collect()
    }

    fn free_times(&self, clause: &[Token]) -> Vec<Claim> {
        let mut claims = Vec::new();
        let mut start = 0;
        while start < clause.len() {
            match self.time_at(clause, start) {
                Some(time) => {
                    if self.is_free(clause, &time) {
                        claims.push(time.claim);
                    }
                    start = time.end;
                }
                None => start += 1,
            }
        }
        claims
    }

    /// A time that begins here.
    fn time_at(&self, clause: &[Token], start: usize) -> Option<Time> {
        let at = |offset: usize| clause.get(start + offset).copied();
        let time = |count: u32, unit: Unit, length: usize, free_inside: bool| Time {
            claim: Claim::FreeDays {
                days: count * days(unit),
                as_said: (count, unit),
            },
            start,
            end: start + length,
            is_bare: false,
            free_inside,
        };
        match (at(0)?, at(1), at(2)) {
            (Token::Span(days), ..) => Some(time(days, Unit::Day, 1, false)),
            (Token::FreeSpan(days), ..) => Some(time(days, Unit::Day, 1, true)),
            (Token::Number(count), Some(Token::Unit(unit)), _) => Some(time(count, unit, 2, false)),
            (Token::Number(count), Some(between), Some(Token::Unit(unit)))
                if self.spaced && may_stand_inside(between) =>
            {
                Some(time(count, unit, 3, costs_nothing(between)))
            }
            (Token::Article, Some(Token::Unit(unit)), _) if unit != Unit::Day => {
                Some(time(1, unit, 2, false))
            }
            (Token::Article, Some(between), Some(Token::Unit(unit)))
                if unit != Unit::Day && costs_nothing(between) =>
            {
                Some(time(1, unit, 3, true))
            }
            (Token::Unit(unit), ..) if self.bare_units && unit != Unit::Day => Some(Time {
                is_bare: true,
                ..time(1, unit, 1, false)
            }),
            _ => None,
        }
    }

    /// Whether a time is said to cost nothing, or to be a trial.
    fn is_free(&self, clause: &[Token], time: &Time) -> bool {
        // “A free 14-day programme” is no trial.
        let (before, after) = if self.spaced { (3, 2) } else { (8, 4) };
        let around = &clause[time.start.saturating_sub(before)..clause.len().min(time.end + after)];
        if around.contains(&Token::Thing) {
            return false;
        }
        let reach = if time.is_bare { 0 } else { self.reach() };
        let says_so = |index: usize| {
            let (gap, outside) = if index < time.start {
                (&clause[index + 1..time.start], clause.get(time.end))
            } else {
                (
                    &clause[time.end..index],
                    time.start.checked_sub(1).and_then(|before| clause.get(before)),
                )
            };
            let apart = gap.contains(&Token::Apart) || (!gap.is_empty() && outside == Some(&Token::Apart));
            costs_nothing(clause[index]) && gap.len() <= reach && !apart
        };
        let outside = (0..clause.len()).filter(|index| !(time.start..time.end).contains(index));
        time.free_inside || outside.into_iter().any(says_so)
    }

    fn discounts(&self, clause: &[Token]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for (index, pair) in clause.windows(2).enumerate() {
            let ([Token::Number(percent), Token::Percent] | [Token::Percent, Token::Number(percent)]) = pair
            else {
                continue;
            };
            let around =
                &clause[index.saturating_sub(self.reach() + 1)..clause.len().min(index + 3 + self.reach())];
            if around.contains(&Token::Discount) && (1..=100).contains(percent) {
                claims.push(Claim::PercentOff(*percent));
            }
        }
        if clause.contains(&Token::HalfPrice) {
            claims.push(Claim::PercentOff(50));
        }
        claims
    }

    /// How many words may stand between a time and what is said of it.
    fn reach(&self) -> usize {
        if self.spaced { 3 } else { 8 }
    }
}

/// A time and its position in its clause.
struct Time {
    claim: Claim,
    start: usize,
    end: usize,
    is_bare: bool,
    free_inside: bool,
}

fn days(unit: Unit) -> u32 {
    match unit {
        Unit::Day => 1,
        Unit::Week => WEEK,
        Unit::Month => MONTH,
    }
}

fn costs_nothing(token: Token) -> bool {
    matches!(token, Token::Free | Token::Trial)
}

/// “seven full days”, “sept premiers jours”, “7 kostenlose Tage”.
fn may_stand_inside(token: Token) -> bool {
    costs_nothing(token) || token == Token::Other
}

fn promises_a_trial(clause: &[Token]) -> bool {
    clause.contains(&Token::Trial) && !clause.contains(&Token::Negation)
}
