import { expect, test } from "vitest";
import { judgeSkips, parseAllowedSkips, type Skip } from "./skips.ts";

const skip = (name: string, reason = "no browser"): Skip => ({ name, project: "phone", reason });
const allowed = [{ test: "a.spec.ts › one", because: "no browser" }];

test("a run without skips has nothing to report", () => {
  expect(judgeSkips([], allowed)).toEqual({ failures: [], notes: [] });
});

test("a skipped test that no entry names fails the run", () => {
  expect(judgeSkips([skip("a.spec.ts › two")], allowed)).toEqual({
    failures: ["skipped and not in skips.json: [phone] a.spec.ts › two (no browser)"],
    notes: [],
  });
});

test("a skip with an entry is counted with its reason", () => {
  const skips = [skip("a.spec.ts › one", "no browser: 2 pictures"), skip("a.spec.ts › one", "no browser: 2 pictures")];
  expect(judgeSkips(skips, allowed)).toEqual({ failures: [], notes: ["2 TESTS WERE SKIPPED: no browser: 2 pictures"] });
});

test("an entry tolerates no other reason", () => {
  expect(judgeSkips([skip("a.spec.ts › one", "")], allowed).failures).toEqual([
    "skipped and not in skips.json: [phone] a.spec.ts › one (without a reason)",
  ]);
});

test("an entry without a reason is refused", () => {
  expect(() => parseAllowedSkips('[{ "test": "a.spec.ts › one", "because": " " }]')).toThrow(
    "needs `test` and `because`",
  );
  expect(() => parseAllowedSkips("{}")).toThrow("must be an array");
  expect(parseAllowedSkips("[]")).toEqual([]);
});
