// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import type { Campaign } from "~/features/payment/offer/offer";
import { persistApproval, persistedApproval, removePersistedApproval } from "./persisted-approval";

const campaign = { price_id: "prc_1", product: "premium" } as Campaign;
const agreed = { approval: "I-1", userId: "usr_1", campaign };

describe("a PayPal approval without a result", () => {
  afterEach(() => sessionStorage.clear());

  it("is restored for the same member and campaign", () => {
    persistApproval("web-monthly", agreed);
    expect(persistedApproval("web-monthly", "usr_1")).toMatchObject(agreed);
    expect(persistedApproval("web-monthly", "usr_2")).toBeNull();
    expect(persistedApproval("web-annual", "usr_1")).toBeNull();
  });

  it("is removed by its own result only", () => {
    persistApproval("web-monthly", agreed);
    removePersistedApproval("I-2");
    expect(persistedApproval("web-monthly", "usr_1")).not.toBeNull();
    removePersistedApproval("I-1");
    expect(persistedApproval("web-monthly", "usr_1")).toBeNull();
  });

  it.each(["", "{", "null", "[]", '{"of":"web-monthly","userId":"usr_1","approval":7}'])(
    "is ignored when the tab stores %s",
    (stored) => {
      sessionStorage.setItem("openApproval", stored);
      expect(persistedApproval("web-monthly", "usr_1")).toBeNull();
    },
  );
});
