import { expect, it } from "vitest";
import { labelWithout } from "./order-label";

it("is the page's own, but for a trial that is not had", () => {
  expect(labelWithout("Start free trial", true, { trialDays: 7 })).toBe("Start free trial");
  expect(labelWithout("Start free trial", true, { trialDays: 0 })).toBeNull();
  expect(labelWithout("Subscribe and pay", false, { trialDays: 0 })).toBe("Subscribe and pay");
});
