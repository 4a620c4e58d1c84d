import { expect, test } from "vitest";
import { type Execution, judgeFlaky, parseTolerated, slowest } from "./flaky.ts";

const run = (name: string, more: Partial<Execution> = {}): Execution => ({
  name,
  project: "phone",
  isFlaky: false,
  durationMs: 1_000,
  ...more,
});

test("a run without flaky tests has nothing to report", () => {
  expect(judgeFlaky([run("a.spec.ts › one")], [])).toEqual({ failures: [], notes: [] });
});

test("a flaky test that no entry names fails the run", () => {
  const { failures } = judgeFlaky([run("a.spec.ts › one", { isFlaky: true }), run("a.spec.ts › two")], []);
  expect(failures).toEqual(["flaky and not in flaky.json: [phone] a.spec.ts › one"]);
});

test("a flaky test with an entry is reported with its reason", () => {
  const tolerated = [{ test: "a.spec.ts › one", reason: "Chromium issue 1" }];
  const { failures, notes } = judgeFlaky([run("a.spec.ts › one", { isFlaky: true })], tolerated);
  expect(failures).toEqual([]);
  expect(notes).toEqual(["flaky, tolerated: [phone] a.spec.ts › one (Chromium issue 1)"]);
});

test("an entry tolerates no other test of the same file", () => {
  const tolerated = [{ test: "a.spec.ts › one", reason: "Chromium issue 1" }];
  expect(judgeFlaky([run("a.spec.ts › two", { isFlaky: true })], tolerated).failures).toHaveLength(1);
});

test("an entry whose test passed at once is reported, one whose test did not run is not", () => {
  const tolerated = [
    { test: "a.spec.ts › one", reason: "Chromium issue 1" },
    { test: "a.spec.ts › not run", reason: "Chromium issue 2" },
  ];
  expect(judgeFlaky([run("a.spec.ts › one")], tolerated)).toEqual({
    failures: [],
    notes: ["in flaky.json, passed at once: a.spec.ts › one"],
  });
});

test("a test that is flaky on one screen only does not count as passed at once", () => {
  const tolerated = [{ test: "a.spec.ts › one", reason: "Chromium issue 1" }];
  const executions = [run("a.spec.ts › one"), run("a.spec.ts › one", { project: "desktop", isFlaky: true })];
  expect(judgeFlaky(executions, tolerated).notes).toHaveLength(1);
});

test("an entry without a reason is refused", () => {
  expect(() => parseTolerated('[{ "test": "a.spec.ts › one", "reason": " " }]')).toThrow("needs `test` and `reason`");
  expect(() => parseTolerated("{}")).toThrow("must be an array");
  expect(parseTolerated("[]")).toEqual([]);
});

test("the slowest tests come first, with their seconds", () => {
  const executions = [run("quick", { durationMs: 900 }), run("slow", { durationMs: 12_340 }), run("middle")];
  expect(slowest(executions, 2)).toEqual(["  12.3 s  [phone] slow", "   1.0 s  [phone] middle"]);
});
