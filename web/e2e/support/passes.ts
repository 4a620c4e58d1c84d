/**
 * In which runs a journey takes part. Without a mark it runs once: on a phone, with every service in a process of its own.
 *
 * A mark is the second argument of `test` or `test.describe`; several are joined by `all`.
 */
import type { TestDetails } from "@playwright/test";

interface Mark {
  tag: string[];
  annotation: { type: string; description?: string }[];
}

/** Runs in the short pass with one process as well: one journey for each group of RPCs. */
export const smoke: Mark = { tag: ["@smoke"], annotation: [] };

/** Runs on a desktop as well. `adds` names what the desktop shows and the phone does not. */
export const desktop = (adds: string): Mark => ({
  tag: ["@desktop"],
  annotation: [{ type: "desktop", description: adds }],
});

/** Runs on a desktop only: on a phone the element does not exist. */
export const desktopOnly: Mark = { tag: ["@desktop-only"], annotation: [] };

export const none: Mark = { tag: [], annotation: [] };

export function all(...marks: Mark[]): TestDetails {
  return { tag: marks.flatMap(({ tag }) => tag), annotation: marks.flatMap(({ annotation }) => annotation) };
}
