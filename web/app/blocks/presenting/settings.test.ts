import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { samples } from "../samples";

/** Settings are read once per module, so each test loads its own. */
beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("THERAPY_APP_URL", "https://therapy.example/");
});
afterEach(() => void vi.unstubAllEnvs());

it.each(["TwoColPaymentForm", "OneTimePaymentForm", "OneTimePaymentWithAdditionForm"])(
  "a %s sends therapy buyers to the app of THERAPY_APP_URL",
  async (kind) => {
    const { present } = await import("./presenters.server");
    const { afterPayment } = await import("~/features/payment/navigation/destination");
    const sample = samples.find(({ __typename }) => __typename === kind);
    if (!sample) throw new Error(`There is no sample of ${kind}`);
    const block = present(sample, { locale: "de", template: "Payment" });
    if (!("checkout" in block)) throw new Error(`${kind} has no checkout`);
    const { therapyAppUrl } = block.checkout.terms;
    const query = new URLSearchParams("therapySuccess=true");
    const destination = afterPayment({ locale: "de", path: "/de/payment/x/", query, nextPage: null, therapyAppUrl });
    expect(destination).toEqual({ kind: "therapyHandoff", url: "https://therapy.example/de/therapy/" });
  },
);
