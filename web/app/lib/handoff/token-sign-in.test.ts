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

describe("somebody who arrives with a token", () => {
  it("is a member from then on, however the answer spells them, and the token is used up", async () => {
    answer({ data: { user_id: "usr_1", fullName: "Ada", istherapyuser: true }, error: null, error_code: null });
    await signInWithToken("handed");
    expect(fetch).toHaveBeenCalledWith("/validate-token", expect.objectContaining({ body: '{"token":"handed"}' }));
    expect(currentUser()).toMatchObject({ user_id: "usr_1", fullName: "Ada", isTherapyUser: true });
    expect(events()).toEqual(["auto_signin"]);
    expect(urlToken("/tr/payment/annual/")).toBeNull();
  });

  it.each(["2", 2])("too late (error_code %j) is sent to sign up, with the way back", async (error_code) => {
    const replace = vi.fn();
    vi.stubGlobal("location", { pathname: "/tr/payment/annual/", search: "?survey=true", replace });
    answer({ data: null, error: "Expired.", error_code });
    void signInWithToken("handed");
    await vi.waitFor(() => expect(replace).toHaveBeenCalled());
    expect(replace).toHaveBeenCalledWith("/tr/signup/?survey=true&redirectPage=%2Ftr%2Fpayment%2Fannual%2F");
    expect(events()).toEqual([]);
  });

  it.each(["1", 3])("with one that is none (error_code %j) is a visitor, and stays", async (error_code) => {
    const replace = vi.fn();
    vi.stubGlobal("location", { ...window.location, replace });
    answer({ data: null, error: "Unknown.", error_code });
    await signInWithToken("handed");
    expect(currentUser()).toBeNull();
    expect(replace).not.toHaveBeenCalled();
  });

  it("asks the gateway where redirectPage may lead, and the page leads on once it is alive", async () => {
    history.replaceState(null, "", "/tr/payment/annual/?redirectPage=/tr/coach/&token=handed");
    takeUrlTokens();
    answer({ data: { user_id: "usr_1" }, error: null, error_code: null, redirectPage: "/tr/coach/" });
    await signInWithToken("handed");
    expect(fetch).toHaveBeenCalledWith("/validate-token?redirectPage=%2Ftr%2Fcoach%2F", expect.anything());
    expect(takeTokenSignIn("/tr/payment/annual/")).toMatchObject({ redirectPage: "/tr/coach/" });
    expect(takeTokenSignIn("/tr/payment/annual/"), "once").toBeNull();
  });

  it.each(["1", "2", "3"])(
    "with a token that is none (%s) beside a session stays signed in, and no event says otherwise",
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

  it("while nobody answers is told nothing", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    answer({ code: "UNAVAILABLE" }, 503);
    await signInWithToken("handed");
    expect(warned).toHaveBeenCalledOnce();
    expect(currentUser()).toBeNull();
  });

  it("is not signed in by it on a page with a use of its own for tokens", async () => {
    answer({});
    document.body.innerHTML = '<div data-kind="ForgotPassword"></div>';
    await signInWithToken("handed");
    expect(fetch).not.toHaveBeenCalled();
    expect(urlToken("/tr/payment/annual/")).toBe("handed");
  });
});
