//! The report: the Markdown of BENCH.md.

use crate::accounts::Accounts;
use crate::cases::Figures;
use crate::checkout_load::CheckoutLoad;
use crate::graphql::Compared;
use crate::scale::Scale;
use crate::target::Snapshot;

/// In hundredths: a larger site may cost this much per page, which allows for noise.
const AS_MUCH: u64 = 110;

/// The first figure is the reference of the others.
pub fn print(figures: &[Figures], idle: &Snapshot, loaded: &Snapshot) {
    let Some(reference) = figures.first() else { return };
    println!(
        "| path | requests/s | × nginx req/s | CPU-s per 1,000 | × nginx CPU | stores' CPU-s per 1,000 |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for figure in figures {
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            figure.name,
            per_second(figure),
            hundredths(per_second(figure) * 100 / per_second(reference).max(1)),
            thousandths_of_millis(nanos_per_request(figure.cpu_millis, figure)),
            hundredths(
                nanos_per_request(figure.cpu_millis, figure) * 100
                    / nanos_per_request(reference.cpu_millis, reference).max(1)
            ),
            thousandths_of_millis(nanos_per_request(figure.store_cpu_millis, figure)),
        );
    }
    println!("\n| process | memory idle, MB | memory after the load, MB |\n| --- | ---: | ---: |");
    for ((label, before), (_, after)) in idle.iter().zip(loaded) {
        println!(
            "| {label} | {} | {} |",
            before.memory_kib / 1024,
            after.memory_kib / 1024
        );
    }
}

/// The cost of each path against its baseline, stores included.
pub fn compare(compared: &[&Compared], scale: &Scale) {
    println!("\n| path | CPU µs per request | baseline | its CPU µs | ratio | at most |");
    println!("| --- | ---: | --- | ---: | ---: | ---: |");
    for Compared {
        figures,
        baseline,
        at_most,
    } in compared
    {
        line(figures, baseline, *at_most);
    }
    line(&scale.many, &scale.few, AS_MUCH);
    println!("\nFilled the larger site in {} s.", scale.filled_secs);
    println!(
        "A page was seen {} ms after it was published (at most 1000).",
        scale.visible_millis
    );
}

/// The cost of a session check and of a sign-in.
pub fn accounts(accounts: &Accounts) {
    let check = &accounts.session_check;
    println!(
        "Session checks per CPU-second: {}, the stores' share included {}.",
        per_cpu_second(check.cpu_millis, check),
        per_cpu_second(check.cpu_millis + check.store_cpu_millis, check),
    );
    let Compared {
        figures: sign_in,
        baseline: hash,
        ..
    } = &accounts.sign_in;
    println!(
        "A sign-in is {} % argon2: {} of {} ms of CPU.",
        whole_nanos(hash) * 100 / whole_nanos(sign_in).max(1),
        tenths(whole_nanos(hash) / 100_000),
        tenths(whole_nanos(sign_in) / 100_000),
    );
}

/// The latency with 32 clients, the CPU including Postgres, and the sandbox's part, which in production
/// is the provider's own.
pub fn checkout_load(paths: &[CheckoutLoad]) {
    println!(
        "\n| path | p99 with 32 clients, ms | CPU ms per request, Postgres included | the sandbox's | peak memory of the services, MB |"
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    for path in paths {
        let figures = &path.figures;
        println!(
            "| {} | {} | {} | {} | {} |",
            figures.name,
            hundredths(figures.p99_micros / 10),
            thousandths_of_millis(whole_nanos(figures)),
            thousandths_of_millis(nanos_per_request(path.sandbox_cpu_millis, figures)),
            path.peak_kib / 1024,
        );
    }
}

fn per_cpu_second(cpu_millis: u64, figure: &Figures) -> u64 {
    figure.requests * 1000 / cpu_millis.max(1)
}

fn line(figures: &Figures, baseline: &Figures, at_most: u64) {
    let (ours, theirs) = (whole_nanos(figures), whole_nanos(baseline));
    println!(
        "| {} | {} | {} | {} | {} | {} |",
        figures.name,
        tenths(ours / 100),
        baseline.name,
        tenths(theirs / 100),
        hundredths(ours * 100 / theirs.max(1)),
        hundredths(at_most),
    );
}

fn whole_nanos(figure: &Figures) -> u64 {
    nanos_per_request(figure.cpu_millis + figure.store_cpu_millis, figure)
}

fn tenths(value: u64) -> String {
    format!("{}.{}", value / 10, value % 10)
}

fn per_second(figure: &Figures) -> u64 {
    figure.requests * 1000 / figure.wall_millis.max(1)
}

fn nanos_per_request(cpu_millis: u64, figure: &Figures) -> u64 {
    cpu_millis * 1_000_000 / figure.requests.max(1)
}

fn hundredths(value: u64) -> String {
    format!("{}.{:02}", value / 100, value % 100)
}

/// Nanoseconds per request are microseconds per 1,000 requests; printed in seconds.
fn thousandths_of_millis(nanos: u64) -> String {
    format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_show_two_decimals() {
        assert_eq!(hundredths(105), "1.05");
        assert_eq!(hundredths(7), "0.07");
    }

    #[test]
    fn ten_microseconds_a_request_are_ten_milliseconds_per_thousand() {
        assert_eq!(thousandths_of_millis(10_000), "0.010000");
    }
}
