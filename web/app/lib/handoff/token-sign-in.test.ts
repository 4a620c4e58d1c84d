// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { currentUser, setSession } from "../session/session";
import { takeUrlTokens, urlToken } from "../session/url-token";
import { signInWithToken } from "./token-sign-in";
import { takeTokenSignIn } from "./token-sign-in-result";

const answer = (body: object, status = 200) =>
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => Response.json(body, { status })),
  );
const events = () => (window.dataLayer ?? []).map(({ event }) => event);

beforeEach(() => {
  vi.useFakeTimers();
  setSession({ state: "unknown" });
  history.replaceState(null, "", "/tr/payment/annual/?survey=true&token=handed");
  takeUrlTokens();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.innerHTML = "";
  Reflect.deleteProperty(window, "dataLayer");
});

describe("a visitor with a token", () => {
  it("becomes a member, in either spelling of the response, and the token is removed", async () => {
    answer({ data: { user_id: "usr_1", fullName: "Ada", istherapyuser: true }, error: null, error_code: null });
    await signInWithToken("handed");
    expect(fetch).toHaveBeenCalledWith("/validate-token", expect.objectContaining({ body: '{"token":"handed"}' }));
    expect(currentUser()).toMatchObject({ user_id: "usr_1", fullName: "Ada", isTherapyUser: true });
    expect(events()).toEqual(["auto_signin"]);
    expect(urlToken("/tr/payment/annual/")).toBeNull();
  });

  it.each(["2", 2])("with an expired one (error_code %j) is sent to sign up, with the way back", async (error_code) => {
    const replace = vi.fn();
    vi.stubGlobal("location", { pathname: "/tr/payment/annual/", search: "?survey=true", replace });
    answer({ data: null, error: "Expired.", error_code });
    void signInWithToken("handed");
    await vi.waitFor(() => expect(replace).toHaveBeenCalled());
    expect(replace).toHaveBeenCalledWith("/tr/signup/?survey=true&redirectPage=%2Ftr%2Fpayment%2Fannual%2F");
    expect(events()).toEqual([]);
  });

  it.each(["1", 3])("with an invalid one (error_code %j) stays as a visitor", async (error_code) => {
    const replace = vi.fn();
    vi.stubGlobal("location", { ...window.location, replace });
    answer({ data: null, error: "Unknown.", error_code });
    await signInWithToken("handed");
    expect(currentUser()).toBeNull();
    expect(replace).not.toHaveBeenCalled();
  });

  it("of the member who is signed in already goes on without a sign-in event", async () => {
    answer({
      data: { user_id: "usr_1" },
      error: null,
      error_code: null,
      already_signed_in: true,
      redirectPage: "/tr/",
    });
    await signInWithToken("handed");
    expect(currentUser()).toMatchObject({ user_id: "usr_1" });
    expect(events()).toEqual([]);
    expect(takeTokenSignIn("/tr/payment/annual/")).toMatchObject({ redirectPage: "/tr/" });
  });

  it("gets the allowed redirectPage from the gateway, for use after hydration", async () => {
    history.replaceState(null, "", "/tr/payment/annual/?redirectPage=/tr/coach/&token=handed");
    takeUrlTokens();
    answer({ data: { user_id: "usr_1" }, error: null, error_code: null, redirectPage: "/tr/coach/" });
    await signInWithToken("handed");
    expect(fetch).toHaveBeenCalledWith("/validate-token?redirectPage=%2Ftr%2Fcoach%2F", expect.anything());
    expect(takeTokenSignIn("/tr/payment/annual/")).toMatchObject({ redirectPage: "/tr/coach/" });
    expect(takeTokenSignIn("/tr/payment/annual/"), "once").toBeNull();
  });

  it.each(["1", "2", "3"])(
    "with an invalid one (%s) keeps an existing session, without an event",
    async (error_code) => {
      const replace = vi.fn();
      vi.stubGlobal("location", { ...window.location, replace });
      vi.stubGlobal(
        "fetch",
        vi.fn(async (path: string) =>
          Response.json(
            path === "/api/auth/session"
              ? { logged_in: true, user: { user_id: "usr_9" } }
              : { data: null, error: "No.", error_code },
          ),
        ),
      );
      await signInWithToken("rubbish");
      expect(currentUser()).toMatchObject({ user_id: "usr_9" });
      expect(events()).toEqual([]);
      expect(replace).not.toHaveBeenCalled();
    },
  );

  it("sees no message without a response", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    answer({ code: "UNAVAILABLE" }, 503);
    await signInWithToken("handed");
    expect(warned).toHaveBeenCalledOnce();
    expect(currentUser()).toBeNull();
  });

  it("is not signed in on a page whose block uses the token", async () => {
    answer({});
    document.body.innerHTML = '<div data-kind="ForgotPassword"></div>';
    await signInWithToken("handed");
    expect(fetch).not.toHaveBeenCalled();
    expect(urlToken("/tr/payment/annual/")).toBe("handed");
  });
});
