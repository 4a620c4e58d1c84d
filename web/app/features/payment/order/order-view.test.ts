import { describe, expect, it } from "vitest";
import { annual as campaign, paidTrial as trial } from "../offer/offer-fixtures";
import { viewOrder } from "./order-view";

describe("the order as text", () => {
  it("shows what is due today: the price of the trial", () => {
    const order = viewOrder(trial, "en", new Date(2026, 10, 20));
    expect(order).toMatchObject({ dueToday: "$1", trialFee: "$1", isOneTime: false });
    expect(viewOrder(campaign, "en", new Date())).toMatchObject({ dueToday: "$0", trialFee: null });
    expect(viewOrder({ ...campaign, kind: "lifetime" }, "en", new Date()).isOneTime).toBe(true);
  });
});
