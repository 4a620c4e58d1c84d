// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import type { Campaign } from "~/features/payment/offer/offer";
import { persistApproval, persistedApproval, removePersistedApproval } from "./persisted-approval";

const campaign = { price_id: "prc_1", product: "premium" } as Campaign;
const agreed = { approval: "I-1", userId: "usr_1", campaign };

describe("an agreement at PayPal nobody has answered", () => {
  afterEach(() => sessionStorage.clear());

  it("is found again by who made it, on the page that sells the same", () => {
    persistApproval("web-monthly", agreed);
    expect(persistedApproval("web-monthly", "usr_1")).toMatchObject(agreed);
    expect(persistedApproval("web-monthly", "usr_2")).toBeNull();
    expect(persistedApproval("web-annual", "usr_1")).toBeNull();
  });

  it("is forgotten by its own answer, and by no other's", () => {
    persistApproval("web-monthly", agreed);
    removePersistedApproval("I-2");
    expect(persistedApproval("web-monthly", "usr_1")).not.toBeNull();
    removePersistedApproval("I-1");
    expect(persistedApproval("web-monthly", "usr_1")).toBeNull();
  });

  it.each(["", "{", "null", "[]", '{"of":"web-monthly","userId":"usr_1","approval":7}'])(
    "is none where the tab holds %s",
    (stored) => {
      sessionStorage.setItem("openApproval", stored);
      expect(persistedApproval("web-monthly", "usr_1")).toBeNull();
    },
  );
});
