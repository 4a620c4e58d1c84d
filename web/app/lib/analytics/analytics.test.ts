// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const ada = {
  user_id: "usr_1",
  fullName: " Ada  Augusta Lovelace ",
  email: "ADA@Example.org ",
  isCoachingUser: false,
  isTherapyUser: false,
};

interface Sent {
  path: string;
  body: Record<string, unknown> & { events?: { name: string; fields: Record<string, string> }[] };
}

describe("web analytics", () => {
  let sent: Sent[] = [];

  beforeEach(() => {
    sent = [];
    vi.resetModules();
    vi.useFakeTimers();
    localStorage.setItem("country", "US");
    history.replaceState(null, "", "/en/plans/?token=s3cret&utm_source=mail");
    vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
      sent.push({ path, body: JSON.parse(body) });
      return Response.json({}, { status: 202 });
    });
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    localStorage.clear();
    Reflect.deleteProperty(window, "dataLayer");
  });

  const events = () =>
    sent.filter(({ path }) => path === "/api/analytics/events").flatMap(({ body }) => body.events ?? []);
  const special = () => sent.find(({ path }) => path === "/api/analytics/special-program-events")?.body;

  const signIn = async () => (await import("../session/session")).setMember(ada);

  it("reports a page view after a second, with its four fields, the site and the user", async () => {
    const { trackPageLoad } = await import(".");
    trackPageLoad("landing", "/plans");
    vi.advanceTimersByTime(999);
    expect(window.dataLayer).toBeUndefined();
    vi.advanceTimersByTime(1);
    const view = {
      page_type: "landing",
      site_section: "main",
      page_variant: "default",
      unifying_path: "/plans",
      country: "US",
      language: "en",
      platform: "web",
      site_type: "desktop",
      url: "http://localhost:3000/en/plans/?utm_source=mail",
    };
    expect(window.dataLayer).toEqual([{ event: "page_load", ...view, is_logged_in: false }]);
    vi.advanceTimersByTime(2_000);
    expect(events()).toMatchObject([{ name: "page_load", fields: { ...view, is_logged_in: "false" } }]);
  });

  it("reports no page view for a page that was left earlier", async () => {
    const { trackPageLoad } = await import(".");
    trackPageLoad("landing", "/plans")();
    vi.advanceTimersByTime(5_000);
    expect(sent).toEqual([]);
  });

  it("reports the special programme's five fields with each page view", async () => {
    localStorage.setItem("mdOrderId", "svo_1");
    await signIn();
    const { trackPageLoad } = await import(".");
    trackPageLoad("landing", "/plans");
    vi.advanceTimersByTime(1_000);
    expect(special()).toEqual({
      fullPath: "/en/plans/?utm_source=mail",
      pageType: "landing",
      event: "pageload",
      orderid: "svo_1",
      userid: "usr_1",
    });
  });

  it.each([
    ["consent is missing", "DE", "/en/plans/"],
    ["it is about the survey", "US", "/en/survey/start/"],
  ])("reports neither user nor order where %s", async (_, country, path) => {
    localStorage.setItem("country", country);
    localStorage.setItem("mdOrderId", "svo_1");
    history.replaceState(null, "", path);
    await signIn();
    const { trackPageLoad, trackUser } = await import(".");
    trackPageLoad("landing", path);
    await trackUser(ada);
    vi.advanceTimersByTime(3_000);
    expect(special()).toMatchObject({ orderid: "", userid: "", event: "pageload" });
    expect(events().map(({ name }) => name)).toEqual(["page_load"]);
  });

  it("reports the user in hashes only, once, trimmed and in lower case", async () => {
    await signIn();
    const { trackUser } = await import(".");
    await trackUser(ada);
    await trackUser(ada);
    vi.advanceTimersByTime(2_000);
    const [user, ...others] = events();
    expect(others).toEqual([]);
    expect(user?.name).toBe("user");
    expect(user?.fields.email).toBe(await sha256("ada@example.org"));
    expect(user?.fields.name).toBe(await sha256("ada"));
    expect(user?.fields.last_name).toBe(await sha256("lovelace"));
    expect(user?.fields.id).toBe(await sha256("usr_1"));
    expect(JSON.stringify([sent, window.dataLayer])).not.toMatch(/ada|lovelace|usr_1/i);
  });

  it("reports no user after the browser's objection", async () => {
    vi.stubGlobal("navigator", { globalPrivacyControl: true, userAgent: "", maxTouchPoints: 0 });
    await signIn();
    const { trackUser } = await import(".");
    await trackUser(ada);
    vi.advanceTimersByTime(2_000);
    expect(sent).toEqual([]);
  });

  it("reports a Google sign-up as six hashes, and nothing after the browser's objection", async () => {
    const facts = { name: "Ada", email: "ada@example.org", googleID: "108", picturePath: "https://p.example/ada" };
    const all = { ...facts, fullName: "Ada Lovelace", token: "a.b.c" };
    const { trackSocialSignUp } = await import(".");
    await trackSocialSignUp(all);
    vi.advanceTimersByTime(2_000);
    const [signUp] = events();
    expect(signUp?.name).toBe("social_signup");
    expect(signUp?.fields).toMatchObject({ email: await sha256("ada@example.org"), googleID: await sha256("108") });
    expect(signUp?.fields).toMatchObject({ fullName: await sha256("ada lovelace"), token: await sha256("a.b.c") });
    expect(JSON.stringify([sent, window.dataLayer])).not.toMatch(/ada|lovelace|a\.b\.c/i);

    const before = sent.length;
    vi.stubGlobal("navigator", { globalPrivacyControl: true, userAgent: "", maxTouchPoints: 0 });
    await trackSocialSignUp(all);
    vi.advanceTimersByTime(2_000);
    expect(sent).toHaveLength(before);
  });

  it("reports a click on a demo link once, whatever content calls its event", async () => {
    const { startAnalytics, trackPress } = await import(".");
    startAnalytics();
    document.body.innerHTML = '<a href="/en/business-bookademo/"><b>Book</b></a><a href="/en/plans/">Plans</a>';
    document.addEventListener("click", (event) => event.preventDefault());
    document.querySelector("b")?.click();
    trackPress({ url: "/business-bookademo", eventName: "b2b_bookademo_click", eventSection: "hero" });
    document.querySelectorAll("a")[1]?.click();
    trackPress({ url: "/plans", eventName: "hero_cta", eventSection: "hero" });
    expect(window.dataLayer?.map(({ event, eventSection }) => [event, eventSection])).toEqual([
      ["b2b_bookademo_click", undefined],
      ["hero_cta", "hero"],
    ]);
  });

  describe("on a first visit", () => {
    const names = () => window.dataLayer?.map(({ event, country }) => [event, country]);
    let tell: (country: string) => void = () => undefined;

    beforeEach(() => {
      localStorage.removeItem("country");
      const answered = new Promise<Response>((resolve) => {
        tell = (countryCode) => resolve(Response.json({ countryCode }));
      });
      vi.stubGlobal("fetch", async (path: string) => (path === "/api/country" ? answered : Response.json({})));
    });

    it("reports the demo page with the country, once it is known", async () => {
      const { trackWithCountry } = await import(".");
      const leave = trackWithCountry("b2b_bookademo", { language: "en" });
      expect(window.dataLayer).toBeUndefined();
      tell("DE");
      await vi.waitFor(() => expect(names()).toEqual([["b2b_bookademo", "DE"]]));
      leave();
      vi.advanceTimersByTime(5_000);
      expect(names()).toEqual([["b2b_bookademo", "DE"]]);
    });

    it.each([
      ["after a second without it", () => vi.advanceTimersByTime(1_000)],
      ["when the page goes before", (leave: () => void) => leave()],
      [
        "when the browser hides the page before",
        () => {
          vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
          document.dispatchEvent(new Event("visibilitychange"));
          vi.restoreAllMocks();
        },
      ],
    ])("reports the demo page in any case, %s", async (_, happen: (leave: () => void) => void) => {
      const { startAnalytics, trackWithCountry } = await import(".");
      startAnalytics();
      const leave = trackWithCountry("b2b_bookademo", { language: "en" });
      expect(window.dataLayer).toBeUndefined();
      happen(leave);
      expect(names()).toEqual([["b2b_bookademo", ""]]);
    });
  });
});

describe("a third-party script", () => {
  it("is loaded once, and cannot read events of sensitive pages", async () => {
    vi.resetModules();
    const { hasThirdPartyScript, loadThirdPartyScript } = await import("./script");
    window.dataLayer = [
      { event: "page_load", url: "http://x/tr/survey/" },
      { event: "page_load", url: "http://x/tr/" },
    ];
    expect(hasThirdPartyScript()).toBe(false);
    loadThirdPartyScript("https://stats.example/tr.js");
    loadThirdPartyScript("https://stats.example/tr.js");
    expect(document.querySelectorAll("script[src='https://stats.example/tr.js']")).toHaveLength(1);
    expect(window.dataLayer).toEqual([{ event: "page_load", url: "http://x/tr/" }]);
    expect(hasThirdPartyScript()).toBe(true);
  });
});

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex");
}
