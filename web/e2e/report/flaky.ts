/**
 * Which flaky tests fail the run.
 *
 * A test is flaky when its first attempt failed and its retry passed. A flaky test fails the run, unless `flaky.json` names it with a
 * reason. An entry whose test was not flaky is reported and fails nothing: one run proves nothing about a rare fault.
 */

export interface Tolerated {
  /** The test's name as the report prints it: `file › describe › title`, without the project. */
  test: string;
  /** Why it is flaky, and what would end that. */
  reason: string;
}

export interface Execution {
  /** As `Tolerated.test`. */
  name: string;
  project: string;
  isFlaky: boolean;
  durationMs: number;
}

export interface FlakyReport {
  failures: string[];
  notes: string[];
}

export function parseTolerated(json: string): Tolerated[] {
  const entries: unknown = JSON.parse(json);
  if (!Array.isArray(entries)) throw new Error("flaky.json must be an array");
  for (const { test, reason } of entries as Partial<Tolerated>[]) {
    if (!test?.trim() || !reason?.trim()) throw new Error("each entry of flaky.json needs `test` and `reason`");
  }
  return entries as Tolerated[];
}

export function judgeFlaky(executions: readonly Execution[], tolerated: readonly Tolerated[]): FlakyReport {
  const reasons = new Map(tolerated.map(({ test, reason }) => [test, reason]));
  const flaky = executions.filter(({ isFlaky }) => isFlaky);
  const failures = flaky
    .filter(({ name }) => !reasons.has(name))
    .map(({ name, project }) => `flaky and not in flaky.json: [${project}] ${name}`);
  const toleratedNow = flaky
    .filter(({ name }) => reasons.has(name))
    .map(({ name, project }) => `flaky, tolerated: [${project}] ${name} (${reasons.get(name)})`);

  const [ran, wasFlaky] = [new Set(executions.map(({ name }) => name)), new Set(flaky.map(({ name }) => name))];
  const passed = tolerated.filter(({ test }) => ran.has(test) && !wasFlaky.has(test));
  return { failures, notes: [...toleratedNow, ...passed.map(({ test }) => `in flaky.json, passed at once: ${test}`)] };
}

export function slowest(executions: readonly Execution[], count: number): string[] {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`;
  return executions
    .toSorted((one, other) => other.durationMs - one.durationMs)
    .slice(0, count)
    .map(({ name, project, durationMs }) => `${seconds(durationMs)}  [${project}] ${name}`);
}
