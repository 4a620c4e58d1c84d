//! Load from `wrk`, an established generator that uses little CPU.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// One bounded burst of requests over kept-alive connections.
pub struct Load<'a> {
    pub url: &'a str,
    pub connections: u32,
    pub duration: Duration,
    pub headers: &'a [(&'a str, &'a str)],
    /// A `wrk` Lua script, for methods and bodies.
    pub script: Option<&'a str>,
}

/// The counted responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub requests: u64,
    pub errors: u64,
    /// The 99th percentile of the latency.
    pub p99_micros: u64,
}

impl Load<'_> {
    pub fn run(&self) -> Result<Outcome> {
        let mut command = Command::new("wrk");
        command.args([
            "-t1",
            "--latency",
            &format!("-c{}", self.connections),
            &format!("-d{}s", self.duration.as_secs()),
        ]);
        for (name, value) in self.headers {
            command.args(["-H", &format!("{name}: {value}")]);
        }
        let script = self.script.map(ScriptFile::write).transpose()?;
        if let Some(script) = &script {
            command.arg("-s").arg(&script.0);
        }
        let output = command
            .arg(self.url)
            .output()
            .context("wrk could not be started: install the package wrk")?;
        if !output.status.success() {
            bail!("wrk failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        parse(&String::from_utf8_lossy(&output.stdout))
    }
}

/// The same body in every request.
pub fn post_script(body: &str) -> String {
    format!("wrk.method = \"POST\"\nwrk.body = [==[{body}]==]\n")
}

/// `wrk` reads its script from a file, which is deleted on drop.
struct ScriptFile(PathBuf);

impl ScriptFile {
    fn write(text: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("stillpoint-bench-{}.lua", std::process::id()));
        std::fs::File::create(&path)?.write_all(text.as_bytes())?;
        Ok(Self(path))
    }
}

impl Drop for ScriptFile {
    fn drop(&mut self) {
        // An undeleted temporary file does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn parse(report: &str) -> Result<Outcome> {
    let requests = report
        .lines()
        .find_map(|line| line.trim().split_once(" requests in ")?.0.parse().ok())
        .context("wrk printed no count of requests")?;
    let refused: u64 = number_after(report, "Non-2xx or 3xx responses:").unwrap_or(0);
    let broken: u64 = report
        .lines()
        .filter(|line| line.contains("Socket errors:"))
        .flat_map(|line| {
            line.split(|c: char| !c.is_ascii_digit())
                .filter_map(|n| n.parse::<u64>().ok())
        })
        .sum();
    Ok(Outcome {
        requests,
        errors: refused + broken,
        p99_micros: percentile_99(report).context("wrk printed no latencies")?,
    })
}

/// `     99%    3.21ms`
fn percentile_99(report: &str) -> Option<u64> {
    let time = report
        .lines()
        .find_map(|line| line.trim().strip_prefix("99%"))?
        .trim();
    let unit_at = time.find(|letter: char| letter.is_ascii_alphabetic())?;
    let (number, unit) = time.split_at(unit_at);
    let micros_per_unit = match unit {
        "us" => 1,
        "ms" => 1000,
        "s" => 1_000_000,
        _ => return None,
    };
    let (whole, hundredths) = number.split_once('.').unwrap_or((number, "0"));
    // wrk prints two digits, or none.
    let part: u64 = format!("{hundredths:0<2}").parse().ok()?;
    Some(whole.parse::<u64>().ok()? * micros_per_unit + part * micros_per_unit / 100)
}

fn number_after(report: &str, label: &str) -> Option<u64> {
    report
        .lines()
        .find_map(|line| line.trim().strip_prefix(label)?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_every_kind_of_error_are_counted() {
        let report = "  2 threads\n     90%    2.00ms\n     99%    3.21ms\n  1200 requests in 5.00s, 3MB read\n  Socket errors: connect 1, read 2, write 0, timeout 4\n  Non-2xx or 3xx responses: 5\nRequests/sec: 240.0\n";
        assert_eq!(
            parse(report).unwrap(),
            Outcome {
                requests: 1200,
                errors: 12,
                p99_micros: 3210,
            }
        );
    }

    #[test]
    fn a_clean_report_has_no_errors() {
        assert_eq!(
            parse("     99%  900.00us\n  10 requests in 1.00s, 1MB read\n").unwrap(),
            Outcome {
                requests: 10,
                errors: 0,
                p99_micros: 900,
            }
        );
    }
}
