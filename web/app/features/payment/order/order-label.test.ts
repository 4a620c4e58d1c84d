import { expect, it } from "vitest";
import { labelUnlessTrialUsed } from "./order-label";

it("is the page's own label, unless it promises a used trial", () => {
  expect(labelUnlessTrialUsed("Start free trial", true, { trialDays: 7 })).toBe("Start free trial");
  expect(labelUnlessTrialUsed("Start free trial", true, { trialDays: 0 })).toBeNull();
  expect(labelUnlessTrialUsed("Subscribe and pay", false, { trialDays: 0 })).toBe("Subscribe and pay");
});
