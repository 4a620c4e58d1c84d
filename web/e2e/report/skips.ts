/**
 * Which skipped tests fail the run.
 *
 * A skipped test proves nothing, so it fails the run, unless `skips.json` names it together with the reason for which it may be
 * skipped. Tolerated skips are counted in the run's summary.
 */

export interface AllowedSkip {
  /** The test's name as the report prints it: `file › describe › title`, without the project. */
  test: string;
  /** How the reason of the skip begins, as the test gives it. */
  because: string;
}

export interface Skip {
  /** As `AllowedSkip.test`. */
  name: string;
  project: string;
  reason: string;
}

export interface SkipReport {
  failures: string[];
  notes: string[];
}

export function parseAllowedSkips(json: string): AllowedSkip[] {
  const entries: unknown = JSON.parse(json);
  if (!Array.isArray(entries)) throw new Error("skips.json must be an array");
  for (const { test, because } of entries as Partial<AllowedSkip>[]) {
    if (!test?.trim() || !because?.trim()) throw new Error("each entry of skips.json needs `test` and `because`");
  }
  return entries as AllowedSkip[];
}

export function judgeSkips(skips: readonly Skip[], allowed: readonly AllowedSkip[]): SkipReport {
  const isAllowed = ({ name, reason }: Skip) =>
    allowed.some(({ test, because }) => test === name && reason.startsWith(because));
  const line = ({ name, project, reason }: Skip) => `[${project}] ${name} (${reason || "without a reason"})`;

  const failures = skips
    .filter((skip) => !isAllowed(skip))
    .map((skip) => `skipped and not in skips.json: ${line(skip)}`);
  const tolerated = skips.filter(isAllowed);
  const count = tolerated.length === 1 ? "1 TEST WAS SKIPPED" : `${tolerated.length} TESTS WERE SKIPPED`;
  const reasons = new Set(tolerated.map(({ reason }) => reason));
  return { failures, notes: tolerated.length === 0 ? [] : [`${count}: ${[...reasons].join("; ")}`] };
}
