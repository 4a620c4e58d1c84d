/** Writes the names of failed unit tests where `make test` reads them for its summary. */
import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

const FILE = process.env.FAILED_TESTS;

export default class FailedTests implements Reporter {
  onTestCaseResult(test: TestCase) {
    const { state, errors } = test.result();
    if (state === "failed") append(`${test.module.relativeModuleId} › ${test.fullName}: ${errors[0]?.message ?? ""}`);
  }

  /** A file that cannot be loaded has no tests. */
  onTestModuleEnd(module: TestModule) {
    for (const { message } of module.errors()) append(`${module.relativeModuleId}: ${message}`);
  }
}

function append(failure: string) {
  if (FILE) appendFileSync(FILE, `${failure.split("\n", 1)[0]}\n`);
}
