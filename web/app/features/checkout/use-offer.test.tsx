// @vitest-environment jsdom
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { annual } from "~/features/payment/offer/offer-fixtures";
import type { User } from "~/lib/session/session";
import { type CheckoutEvent, INITIAL, reduce } from "./state";
import type { CheckoutTerms } from "./terms";
import { useOffer } from "./use-offer";

const terms: CheckoutTerms = {
  campaign: "web-monthly",
  couponCode: null,
  leanplum: null,
  product: {
    productId: "monthly",
    productName: "Stillpoint monthly",
    productCategory: "subscription",
    packageValidityPeriod: "1 month",
    autoRenew: true,
    transactionType: "subscription",
    productPrice: "",
    freeTrialPeriod: "",
  },
  nextPage: null,
  mayRedirect: true,
  therapyAppUrl: null,
  stripe: {} as CheckoutTerms["stripe"],
  paypal: null,
  walletLabel: null,
  yookassaWidgetUrl: null,
};
const ada: User = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.org",
  isCoachingUser: false,
  isTherapyUser: true,
};
const member = { current: ada };
vi.mock("~/lib/session/session", async (original) => ({
  ...(await original<object>()),
  fetchAnsweredSession: async () => ({ state: "member", user: member.current }),
}));

async function offered(user: User, change: Partial<CheckoutTerms> = {}) {
  member.current = user;
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ status: true, data: annual, code: null, message: null });
  });
  const events: CheckoutEvent[] = [];
  const dispatch = (event: CheckoutEvent) => void events.push(event);
  const seen = { ...terms, ...change };
  renderHook(() => useOffer({ state: INITIAL, terms: seen, locale: "en" }, dispatch));
  await waitFor(() => expect(events).toHaveLength(1));
  return {
    state: events.reduce(reduce, INITIAL),
    offers: asked.filter((path) => path.startsWith("/api/web-campaign")),
  };
}

describe("the offer of a payment page", () => {
  beforeEach(() => localStorage.setItem("country", "US"));
  afterEach(() => {
    cleanup();
    localStorage.clear();
    vi.unstubAllGlobals();
  });

  it("is not asked for a member in therapy, who is led to the welcome page", async () => {
    const { state, offers } = await offered(ada);
    expect(state).toEqual({ step: "therapyMember", memberHome: "/en/success/counseling-welcome/" });
    expect(offers).toEqual([]);
  });

  it.each([
    ["in coaching too", { ...ada, isCoachingUser: true }, {}],
    ["where the page stays as it is", ada, { mayRedirect: false }],
    ["without therapy", { ...ada, isTherapyUser: false }, {}],
  ])("is asked for a member %s", async (_, user, change) => {
    const { state, offers } = await offered(user, change);
    expect(state.step).toBe("ready");
    expect(offers).toHaveLength(1);
  });
});
