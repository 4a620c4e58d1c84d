/** Ends each run: prints the slowest tests, and fails the run for flaky tests and for too many executions. */
import { readFileSync } from "node:fs";
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";
import { judgeFlaky, parseTolerated, slowest } from "./flaky.ts";

const SLOWEST_COUNT = 20;
const FLAKY_LIST = new URL("../flaky.json", import.meta.url);

export default class GateReporter implements Reporter {
  private tests: TestCase[] = [];

  constructor(private readonly options: { executionsMax: number }) {}

  onBegin(_config: FullConfig, suite: Suite) {
    this.tests = suite.allTests();
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult["status"] }> {
    const executions = this.tests.filter(({ results }) => results.length > 0).map(executionOf);
    const { failures, notes } = judgeFlaky(executions, parseTolerated(readFileSync(FLAKY_LIST, "utf8")));
    const { executionsMax } = this.options;
    if (this.tests.length > executionsMax) {
      failures.push(`${this.tests.length} executions; the budget in playwright.config.ts is ${executionsMax}`);
    }

    print(`The ${SLOWEST_COUNT} slowest of ${executions.length}:`, slowest(executions, SLOWEST_COUNT));
    print("Flaky tests of flaky.json:", notes);
    print("The first errors of flaky tests:", this.tests.flatMap(firstErrors));
    print("The run fails:", failures);
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

/** The retry passed, so the list reporter shows no error at the run's end. */
function firstErrors(test: TestCase) {
  if (test.outcome() !== "flaky") return [];
  return [test.title, ...(test.results[0]?.errors ?? []).map(({ message, stack }) => stack ?? message ?? "")];
}

function print(title: string, lines: readonly string[]) {
  if (lines.length > 0) console.log(`\n  ${title}\n${lines.map((line) => `    ${line}`).join("\n")}`);
}
