// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userOf } from "./session";

const ada = {
  user_id: "usr_1",
  fullName: "Ada Yılmaz",
  email: "ada@example.org",
  isCoachingUser: true,
  isTherapyUser: false,
};

describe("a user", () => {
  it("is the same in either spelling", () => {
    const ours = { ...ada, firstName: "Ada", lastName: "Yılmaz" };
    const theirs = {
      userID: "usr_1",
      firstName: "Ada",
      lastName: "Yılmaz",
      email: "ada@example.org",
      coachingready: "true",
      istherapyuser: 0,
    };
    expect(userOf(ours)).toEqual(ada);
    expect(userOf(theirs)).toEqual(ada);
    expect(userOf({ user_id: "usr_1", fullname: "Ada Yılmaz", email: "ada@example.org", coachingready: 1 })).toEqual(
      ada,
    );
  });

  it("without details has no coach and no name", () => {
    const visitor = { user_id: "", fullName: "", email: "", isCoachingUser: false, isTherapyUser: false };
    expect(userOf({ isCoachingUser: null, istherapyuser: "no" })).toEqual(visitor);
  });
});

describe("the session", () => {
  let session: typeof import("./session");
  const isMarked = () => document.documentElement.hasAttribute("data-member");
  const answering = (body: object) =>
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => Response.json(body)),
    );

  beforeEach(async () => {
    vi.resetModules();
    session = await import("./session");
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    document.documentElement.removeAttribute("data-member");
  });

  it("waits a second for the response, and still accepts a late member", async () => {
    vi.useFakeTimers();
    const { promise, resolve: answer } = Promise.withResolvers<Response>();
    vi.stubGlobal("fetch", () => promise);
    const asked = vi.fn();
    void session.fetchSession().then(asked);
    await vi.advanceTimersByTimeAsync(999);
    expect(asked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveBeenCalledWith({ state: "visitor" });
    answer(Response.json({ logged_in: true, user: ada }));
    await vi.advanceTimersByTimeAsync(0);
    expect(session.isLoggedIn()).toBe(true);
    vi.useRealTimers();
  });

  describe("of a browser with the member cookie", () => {
    let answer: (response: Response) => void;

    beforeEach(() => {
      vi.useFakeTimers();
      document.documentElement.dataset.member = "";
      vi.spyOn(document, "cookie", "get").mockReturnValue("stillpoint_member=1");
      const { promise, resolve } = Promise.withResolvers<Response>();
      answer = resolve;
      vi.stubGlobal("fetch", () => promise);
    });
    afterEach(() => {
      vi.restoreAllMocks();
      vi.useRealTimers();
    });

    it("is a visitor's to pages after a second without a response, until it comes", async () => {
      const asked = vi.fn();
      void session.fetchSession().then(asked);
      await vi.advanceTimersByTimeAsync(999);
      expect(asked).not.toHaveBeenCalled();
      expect(isMarked()).toBe(true);
      await vi.advanceTimersByTimeAsync(1);
      expect(asked).toHaveBeenCalledWith({ state: "visitor" });
      expect(isMarked()).toBe(false);
      answer(Response.json({ logged_in: true, user: ada }));
      await vi.advanceTimersByTimeAsync(0);
      expect(session.currentUser()).toEqual(ada);
      expect(isMarked()).toBe(true);
    });

    it("is awaited by calls whose result depends on the member", async () => {
      const asked = vi.fn();
      void session.fetchAnsweredSession().then(asked);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(asked).not.toHaveBeenCalled();
      answer(Response.json({ logged_in: true, user: ada }));
      await vi.advanceTimersByTimeAsync(0);
      expect(asked).toHaveBeenCalledWith({ state: "member", user: ada });
    });
  });

  it("without the member cookie is a visitor's to every caller after a second", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => new Promise<Response>(() => undefined));
    const asked = vi.fn();
    void session.fetchAnsweredSession().then(asked);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveBeenCalledWith({ state: "visitor" });
    vi.useRealTimers();
  });

  it("is requested once, and sets the attribute for styles", async () => {
    answering({ logged_in: true, user: ada });
    const [one, other] = await Promise.all([session.fetchSession(), session.fetchSession()]);
    expect(one).toEqual({ state: "member", user: ada });
    expect(other).toBe(one);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(isMarked()).toBe(true);
  });

  it("removes the attribute of an ended session", async () => {
    document.documentElement.dataset.member = "";
    answering({ logged_in: false, user: null });
    expect(await session.fetchSession()).toEqual({ state: "visitor" });
    expect(isMarked()).toBe(false);
  });

  it("is a visitor's without a response, which is logged to the console only", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    expect(await session.fetchSession()).toEqual({ state: "visitor" });
    expect(warned).toHaveBeenCalledOnce();
  });

  it("is not requested before a pending token sign-in", async () => {
    answering({ logged_in: false, user: null });
    let arrive = () => {};
    session.awaitSignIn(
      new Promise<void>((arrived) => {
        arrive = () => {
          session.setMember({ userID: "usr_1", fullName: "Ada Yılmaz", email: "ada@example.org", coachingready: true });
          arrived();
        };
      }),
    );
    const asked = session.fetchSession();
    expect(fetch).not.toHaveBeenCalled();
    arrive();
    expect(await asked).toEqual({ state: "member", user: ada });
    expect(fetch).not.toHaveBeenCalled();
  });

  it("is requested after an invalid token", async () => {
    answering({ logged_in: true, user: ada });
    session.awaitSignIn(Promise.resolve());
    expect(await session.fetchSession()).toEqual({ state: "member", user: ada });
  });

  it("sets the attribute before the first paint by the gateway's cookie only", () => {
    // biome-ignore lint/security/noGlobalEval: it is run as the browser runs it.
    const run = () => eval(session.MARK_MEMBERS_SCRIPT);
    run();
    expect(isMarked()).toBe(false);
    // biome-ignore lint/suspicious/noDocumentCookie: as the gateway sets it.
    document.cookie = "stillpoint_member=1";
    run();
    expect(isMarked()).toBe(true);
  });
});
