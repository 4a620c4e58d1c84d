/** Ends each run: prints the slowest tests, and fails the run for flaky and skipped tests and for too many executions. */
import { appendFileSync, readFileSync } from "node:fs";
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";
import { judgeFlaky, parseTolerated, slowest } from "./flaky.ts";
import { judgeSkips, parseAllowedSkips, type Skip } from "./skips.ts";

const SLOWEST_COUNT = 20;
const FLAKY_LIST = new URL("../flaky.json", import.meta.url);
const SKIP_LIST = new URL("../skips.json", import.meta.url);
/** Where `make test` reads what its own summary repeats: what was not tested, and what failed. */
const { JOURNEY_NOTES: NOTES_FILE, FAILED_TESTS: FAILED_FILE } = process.env;

export default class GateReporter implements Reporter {
  private tests: TestCase[] = [];

  constructor(private readonly options: { executionsMax: number }) {}

  onBegin(_config: FullConfig, suite: Suite) {
    this.tests = suite.allTests();
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult["status"] }> {
    const executions = this.tests.filter(({ results }) => results.length > 0).map(executionOf);
    const { failures, notes } = judgeFlaky(executions, parseTolerated(readFileSync(FLAKY_LIST, "utf8")));
    const skips = judgeSkips(this.tests.flatMap(skipOf), parseAllowedSkips(readFileSync(SKIP_LIST, "utf8")));
    failures.push(...skips.failures);
    const { executionsMax } = this.options;
    if (this.tests.length > executionsMax) {
      failures.push(`${this.tests.length} executions; the budget in playwright.config.ts is ${executionsMax}`);
    }

    print(`The ${SLOWEST_COUNT} slowest of ${executions.length}:`, slowest(executions, SLOWEST_COUNT));
    print("Flaky tests of flaky.json:", notes);
    print("The first errors of flaky tests:", this.tests.flatMap(firstErrors));
    print("Not tested:", skips.notes);
    print("The run fails:", failures);
    append(NOTES_FILE, skips.notes);
    append(FAILED_FILE, [...this.tests.flatMap(failureOf), ...failures]);
    return { status: failures.length > 0 && result.status === "passed" ? "failed" : result.status };
  }

  printsToStdio() {
    return false;
  }
}

function executionOf(test: TestCase) {
  const [, project = "", ...names] = test.titlePath();
  const durationMs = test.results.reduce((sum, { duration }) => sum + duration, 0);
  return { name: names.join(" › "), project, isFlaky: test.outcome() === "flaky", durationMs };
}

/** Of a test that calls `test.skip` or `test.fixme`. A test that does not run because another one failed is no skip. */
function skipOf(test: TestCase): Skip[] {
  if (test.expectedStatus !== "skipped") return [];
  const [, project = "", ...names] = test.titlePath();
  const reasons = test.annotations.filter(({ type }) => type === "skip" || type === "fixme");
  return [{ name: names.join(" › "), project, reason: reasons.map(({ description }) => description ?? "").join("; ") }];
}

function failureOf(test: TestCase) {
  if (test.outcome() !== "unexpected") return [];
  const [, project = "", file = "", ...names] = test.titlePath();
  const [error] = test.results.at(-1)?.errors ?? [];
  const [message = ""] = (error?.message ?? "").split("\n", 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Playwright colours its messages.
  return [`[${project}] ${file} › ${names.join(" › ")}: ${message.replaceAll(/\u001b\[\d+m/g, "")}`];
}

/** The retry passed, so the list reporter shows no error at the run's end. */
function firstErrors(test: TestCase) {
  if (test.outcome() !== "flaky") return [];
  return [test.title, ...(test.results[0]?.errors ?? []).map(({ message, stack }) => stack ?? message ?? "")];
}

function append(file: string | undefined, lines: readonly string[]) {
  if (file) appendFileSync(file, lines.map((line) => `${line}\n`).join(""));
}

function print(title: string, lines: readonly string[]) {
  if (lines.length > 0) console.log(`\n  ${title}\n${lines.map((line) => `    ${line}`).join("\n")}`);
}
