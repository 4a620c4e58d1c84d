//! Tries the Rust tests that failed once more, by themselves. On a busy machine a test that waits for real processes can come too
//! late; a second failure tells a fault from that, and what needed the second try is told.

use std::process::Command;

use crate::{command, context::Context, failure::Failure, test::verdict};

/// More than these have a cause.
const UNSTEADY_MAX: usize = 5;

/// Runs `cargo test`, as `cargo` builds it.
pub fn run(context: &Context, cargo: &dyn Fn() -> Command) -> Result<(), Failure> {
    let (passed, said) = command::heard(context, &mut cargo())?;
    if passed {
        return Ok(());
    }
    let failed = failed(&said);
    let chooses_tests = cargo().get_args().any(|argument| argument == "--");
    if chooses_tests || !came_to_their_end(&said) || failed.is_empty() || failed.len() > UNSTEADY_MAX {
        return verdict(false, "a Rust test failed");
    }
    context
        .console
        .line(&format!("\n  Once more: {}", failed.join(", ")));
    let mut again = cargo();
    again.args(["--quiet", "--", "--exact"]).args(&failed);
    let passed = command::aloud(context, &mut again)?;
    if passed {
        context.console.line(&format!(
            "\n  Unsteady, passed at the second try: {}",
            failed.join(", ")
        ));
    }
    verdict(passed, "a Rust test failed twice")
}

/// The names of failed tests, of all that was told.
fn failed(said: &str) -> Vec<&str> {
    let results = said.lines().filter_map(|line| line.strip_prefix("test "));
    results
        .filter_map(|result| result.strip_suffix(" ... FAILED"))
        .collect()
}

/// A program that died names nobody.
fn came_to_their_end(said: &str) -> bool {
    let begun = said.lines().filter(|line| is_announcement(line)).count();
    let ended = said
        .lines()
        .filter(|line| line.starts_with("test result: "))
        .count();
    begun == ended
}

fn is_announcement(line: &str) -> bool {
    let count = line
        .strip_prefix("running ")
        .and_then(|rest| rest.split_once(' '));
    count.is_some_and(|(count, what)| count.parse::<u32>().is_ok() && what.starts_with("test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failed_tests_are_tried_again() {
        let said = "running 3 tests\ntest a::holds ... ok\ntest b::breaks ... FAILED\ntest c::sleeps ... ignored\n\n\
            failures:\n    b::breaks\n\ntest result: FAILED. 1 passed; 1 failed\n\
            test src/lib.rs - sum (line 3) ... FAILED\n";
        assert_eq!(failed(said), ["b::breaks", "src/lib.rs - sum (line 3)"]);
    }

    #[test]
    fn program_that_died_is_noticed() {
        let whole = "running 1 test\ntest a ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed\n";
        assert!(came_to_their_end(whole));
        assert!(!came_to_their_end(&format!(
            "{whole}running 2 tests\ntest b ... "
        )));
    }

    #[test]
    fn output_that_names_no_test_names_none() {
        assert!(failed("error: could not compile `kit`\n").is_empty());
    }
}
