// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { claimSurveyOrder, createSurveyPlaylist, customerOf, reportOrderPaid } from "./survey-order";

const ada = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.org",
  isCoachingUser: false,
  isTherapyUser: false,
};

function answering(status: number) {
  const fetch = vi.fn(async (_path: string, _request: RequestInit) => new Response("{}", { status }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}
const sent = (fetch: ReturnType<typeof answering>) =>
  fetch.mock.calls
    .filter(([path]) => path.startsWith("/specialprogram/"))
    .map(([path, { body }]) => [path, JSON.parse(String(body))]);
const trackedEvents = () => (window.dataLayer ?? []).map((entry) => (entry as { event: string }).event);

describe("the order of a survey", () => {
  beforeEach(() => {
    window.dataLayer = [];
    localStorage.setItem("mdOrderId", `svo_${Math.random()}`);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  it("is claimed by the signed-in member, once, with an event", async () => {
    localStorage.setItem("mdOrderId", "svo_claimed");
    const fetch = answering(200);
    await Promise.all([claimSurveyOrder(ada), claimSurveyOrder(ada)]);
    expect(sent(fetch)).toEqual([["/specialprogram/idupdate", { orderid: "svo_claimed", userid: "usr_1" }]]);
    expect(trackedEvents()).toEqual(["id-update"]);
  });

  it("that cannot be claimed has an error event", async () => {
    answering(404);
    await claimSurveyOrder(ada);
    expect(trackedEvents()).toEqual(["id-update-error"]);
  });

  it("makes no call without an order", async () => {
    localStorage.removeItem("mdOrderId");
    const fetch = answering(200);
    await claimSurveyOrder(ada);
    await reportOrderPaid("follow-up", ada);
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([200, 404])("is reported as paid, and removed, when the response is %i", async (status) => {
    localStorage.setItem("mdOrderId", "svo_2");
    const fetch = answering(status);
    await Promise.all([reportOrderPaid("b2b", ada), reportOrderPaid("b2b", ada)]);
    const body = { orderid: "svo_2", customerid: "b2b", status: 1, email: "ada@example.org" };
    expect(sent(fetch)).toEqual([["/specialprogram/payment", body]]);
    expect(localStorage.getItem("mdOrderId")).toBeNull();
  });

  it("stays when there is no response", async () => {
    answering(503);
    await reportOrderPaid("follow-up", null);
    expect(localStorage.getItem("mdOrderId")).not.toBeNull();
  });

  it.each([
    ["/en/success/coaching/newuser/", "follow-up"],
    ["/en/success/business/", "b2b"],
    ["/en/success/coaching/b2b/", "b2b"],
    ["/en/success-page/", null],
    ["/en/coaching/", null],
  ])("on %s is that of %s", (path, customer) => {
    expect(customerOf(path)).toBe(customer);
  });
});

describe("the playlist of a survey", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  it.each([[79], ["80"]])("is created for variant %j", async (variant) => {
    localStorage.setItem("LAST_SURVEY_DATA", JSON.stringify({ variant, orderid: "svo_1" }));
    const fetch = answering(200);
    await createSurveyPlaylist();
    expect(fetch.mock.calls.map(([path]) => path)).toEqual(["/specialprogram/createsurveyplaylist?orderid=svo_1"]);
  });

  it.each([['{"variant":78,"orderid":"svo_1"}'], ["{"], ["null"], [""]])("is not created for %j", async (stored) => {
    if (stored) localStorage.setItem("LAST_SURVEY_DATA", stored);
    const fetch = answering(200);
    await createSurveyPlaylist();
    expect(fetch).not.toHaveBeenCalled();
  });
});
