// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import type { Campaign } from "~/features/payment/offer/offer";
import { forgetApproval, keepApproval, keptApproval } from "./persisted-approval";

const campaign = { price_id: "prc_1", product: "premium" } as Campaign;
const agreed = { approval: "I-1", userId: "usr_1", campaign };

describe("an agreement at PayPal nobody has answered", () => {
  afterEach(() => sessionStorage.clear());

  it("is found again by who made it, on the page that sells the same", () => {
    keepApproval("web-monthly", agreed);
    expect(keptApproval("web-monthly", "usr_1")).toMatchObject(agreed);
    expect(keptApproval("web-monthly", "usr_2")).toBeNull();
    expect(keptApproval("web-annual", "usr_1")).toBeNull();
  });

  it("is forgotten by its own answer, and by no other's", () => {
    keepApproval("web-monthly", agreed);
    forgetApproval("I-2");
    expect(keptApproval("web-monthly", "usr_1")).not.toBeNull();
    forgetApproval("I-1");
    expect(keptApproval("web-monthly", "usr_1")).toBeNull();
  });

  it.each(["", "{", "null", "[]", '{"of":"web-monthly","userId":"usr_1","approval":7}'])(
    "is none where the tab holds %s",
    (stored) => {
      sessionStorage.setItem("openApproval", stored);
      expect(keptApproval("web-monthly", "usr_1")).toBeNull();
    },
  );
});
