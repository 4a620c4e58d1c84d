// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { idToken, scripts } from "../fake-providers";
import { openApple, requestAppleSignIn } from "./apple";
import { claimsOf } from "./claims";
import { openFacebook, requestFacebookSignIn, rerequestEmail } from "./facebook";
import { drawGoogle, googlePayload, initGoogle, openGoogle } from "./google";

const configured = (scriptUrl: string | null = null) => ({ clientId: "client-1", scriptUrl });

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
  window.AppleID = undefined as never;
  window.FB = undefined as never;
  window.google = undefined as never;
});

describe("claims", () => {
  it("are decoded in any alphabet", () => {
    expect(claimsOf(idToken({ name: "Şükrü 李 🌙", sub: "1", exp: 7 }))).toEqual({ name: "Şükrü 李 🌙", sub: "1" });
  });

  it.each(["", "a.b.c", "a", "a.e30", "..", "a.bnVsbA.c"])("of an invalid token (%j) are empty", (token) => {
    expect(claimsOf(token)).toEqual({});
  });
});

describe("Apple", () => {
  const auth = { init: vi.fn(), signIn: vi.fn() };
  const visit = { clientId: "client-1", nonce: "n-1", locale: "tr" as const };
  const token = idToken({ sub: "001.a", email: "ada@example.com" });
  const stateOf = () => auth.init.mock.lastCall?.[0].state;
  const answers = (more: object = {}) =>
    auth.signIn.mockImplementation(async () => ({ authorization: { id_token: token, state: stateOf() }, ...more }));

  beforeEach(() => {
    vi.clearAllMocks();
    window.AppleID = { auth };
  });

  it("is loaded from the configured URL, else from Apple in the page's language", async () => {
    const asked = scripts();
    await openApple(configured("https://sandbox.example/apple.js"), "tr");
    await openApple(configured(), "tr");
    await openApple(configured(), "az");
    expect(asked).toEqual([
      "https://sandbox.example/apple.js",
      "https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/tr_TR/appleid.auth.js",
      "https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js",
    ]);
  });

  it("sends exactly lang, email, appleID and token", async () => {
    answers();
    expect(await requestAppleSignIn(auth, visit)).toEqual({
      kind: "payload",
      payload: { lang: "tr", email: "ada@example.com", appleID: "001.a", token },
    });
    expect(auth.init).toHaveBeenLastCalledWith({
      clientId: "client-1",
      scope: "name email",
      redirectURI: "http://localhost:3000/",
      state: expect.any(String),
      nonce: "n-1",
      usePopup: true,
    });
  });

  it("sends the name again on later attempts", async () => {
    answers({ user: { name: { firstName: "Ada", lastName: "Yılmaz" } } });
    expect(await requestAppleSignIn(auth, visit)).toMatchObject({ payload: { name: "Ada Yılmaz" } });
    answers();
    expect(await requestAppleSignIn(auth, visit)).toMatchObject({ payload: { name: "Ada Yılmaz" } });
  });

  it("is rejected with another state", async () => {
    auth.signIn.mockResolvedValue({ authorization: { id_token: token, state: "another" } });
    expect(await requestAppleSignIn(auth, visit)).toEqual({ kind: "failed", fault: "refused" });
  });

  it.each([
    ["popup_closed_by_user", { kind: "cancelled" }],
    ["user_cancelled_authorize", { kind: "cancelled" }],
    ["popup_blocked_by_browser", { kind: "failed", fault: "blocked" }],
    ["invalid_client", { kind: "failed", fault: "unavailable" }],
  ])("that ends with %s is %j", async (error, expected) => {
    auth.signIn.mockRejectedValue({ error });
    expect(await requestAppleSignIn(auth, visit)).toEqual(expected);
  });
});

describe("Facebook", () => {
  const facebook = { init: vi.fn(), login: vi.fn(), api: vi.fn() };
  const logsIn = (answer: object) => facebook.login.mockImplementation((done) => done(answer));
  const connected = { status: "connected", authResponse: { accessToken: "EAA1", userID: "77" } };

  beforeEach(() => {
    vi.clearAllMocks();
    window.FB = facebook;
    facebook.api.mockImplementation((_path, _parameters, done) => done({ name: "Ada", email: "ada@example.com" }));
  });

  it("is loaded from the configured URL, else from Facebook in the page's language, without starting anything", async () => {
    const asked = scripts();
    await openFacebook(configured("https://sandbox.example/facebook.js"), "en");
    await openFacebook(configured(), "ar");
    expect(asked).toEqual(["https://sandbox.example/facebook.js", "https://connect.facebook.net/ar_AR/sdk.js"]);
    const quiet = { cookie: false, xfbml: false, status: false };
    expect(facebook.init).toHaveBeenLastCalledWith({ appId: "client-1", version: "v24.0", ...quiet });
  });

  it("sends exactly name, email, facebookID and token", async () => {
    logsIn(connected);
    expect(await requestFacebookSignIn(facebook)).toEqual({
      kind: "payload",
      payload: { name: "Ada", email: "ada@example.com", facebookID: "77", token: "EAA1" },
    });
    expect(facebook.login.mock.calls[0]?.[1]).toEqual({ scope: "public_profile,email" });
    expect(facebook.api.mock.calls[0]?.slice(0, 2)).toEqual(["/me", { fields: "name,email" }]);
  });

  it("sends an empty address when it was withheld, and asks for it again", async () => {
    logsIn(connected);
    facebook.api.mockImplementation((_path, _parameters, done) => done({ name: "Ada" }));
    expect(await requestFacebookSignIn(facebook)).toMatchObject({ payload: { email: "" } });
    rerequestEmail();
    await requestFacebookSignIn(facebook);
    expect(facebook.login.mock.lastCall?.[1]).toEqual({ scope: "public_profile,email", auth_type: "rerequest" });
  });

  it.each([
    { status: "unknown", authResponse: null },
    { status: "not_authorized", authResponse: null },
  ])("that was cancelled (%j) makes no further call", async (answer) => {
    logsIn(answer);
    expect(await requestFacebookSignIn(facebook)).toEqual({ kind: "cancelled" });
    expect(facebook.api).not.toHaveBeenCalled();
  });

  it.each([
    [2, "unavailable"],
    [190, "refused"],
  ])("without a profile (%i) is %s", async (code, fault) => {
    logsIn(connected);
    facebook.api.mockImplementation((_path, _parameters, done) => done({ error: { code } }));
    expect(await requestFacebookSignIn(facebook)).toEqual({ kind: "failed", fault });
  });
});

describe("Google", () => {
  it("is loaded from the configured URL, else from Google", async () => {
    const asked = scripts();
    window.google = { accounts: { id: { initialize: vi.fn(), renderButton: vi.fn() } } };
    await openGoogle(configured("https://sandbox.example/google.js"));
    await openGoogle(configured());
    expect(asked).toEqual(["https://sandbox.example/google.js", "https://accounts.google.com/gsi/client"]);
  });

  it("that defines nothing has failed to load", async () => {
    vi.useFakeTimers();
    scripts();
    const opened = expect(openGoogle(configured("https://sandbox.example/empty.js"))).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(10_000);
    await opened;
    vi.useRealTimers();
  });

  it("maps the five claims of its credential to the payload", () => {
    const claims = {
      given_name: "Ada",
      email: "ada@example.com",
      sub: "108",
      picture: "https://p.example/a",
      name: "Ada Y",
    };
    const token = idToken(claims);
    expect(googlePayload(token)).toEqual({
      name: "Ada",
      email: "ada@example.com",
      googleID: "108",
      picturePath: "https://p.example/a",
      fullName: "Ada Y",
      token,
    });
  });

  it("gets this browser's nonce and draws its own button", () => {
    const id = { initialize: vi.fn(), renderButton: vi.fn() };
    const onCredential = vi.fn();
    initGoogle(id, { clientId: "client-1", nonce: "n-1", onCredential });
    const config = id.initialize.mock.calls[0]?.[0];
    expect(config).toMatchObject({ client_id: "client-1", nonce: "n-1", ux_mode: "popup", auto_select: false });
    config.callback({ credential: "a.b.c" });
    expect(onCredential).toHaveBeenCalledWith("a.b.c");

    const place = document.createElement("div");
    drawGoogle(id, place, { text: "signup_with", theme: "outline", width: 436.4, locale: "tr" });
    const look = { type: "standard", size: "large", shape: "pill", logo_alignment: "center" };
    const asked = { text: "signup_with", theme: "outline", width: 400, locale: "tr" };
    expect(id.renderButton).toHaveBeenCalledWith(place, { ...look, ...asked });
  });
});
