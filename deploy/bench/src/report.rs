//! The report, as the Markdown that stands in BENCH.md.

use crate::cases::Figures;
use crate::target::Snapshot;

/// The first figure is the reference that the others are held against.
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

fn per_second(figure: &Figures) -> u64 {
    figure.requests * 1000 / figure.wall_millis.max(1)
}

fn nanos_per_request(cpu_millis: u64, figure: &Figures) -> u64 {
    cpu_millis * 1_000_000 / figure.requests.max(1)
}

fn hundredths(value: u64) -> String {
    format!("{}.{:02}", value / 100, value % 100)
}

/// Nanoseconds a request are microseconds per 1,000 requests; printed in seconds.
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
