// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { all, credential, scripts, user } from "./fake-providers";
import { answering, apple, appleAnswers, facebook, google, press, refusing, show, signedIn } from "./test-harness";

describe("the buttons", () => {
  it("are three, named after their tab", () => {
    scripts();
    answering({});
    show();
    for (const name of ["Apple", "Google", "Facebook"]) screen.getByRole("button", { name: `Sign in with ${name}` });
    cleanup();
    show({ mode: "signUp" });
    for (const name of ["Apple", "Google", "Facebook"]) screen.getByRole("button", { name: `Sign up with ${name}` });
  });

  it("are shown for configured providers only", () => {
    scripts();
    answering({});
    show({ providers: { ...all, google: null, facebook: null } });
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Sign in with Apple"]);
  });

  it("load scripts a second after they appear, not before", async () => {
    vi.useFakeTimers();
    const asked = scripts();
    answering({});
    show();
    await act(() => vi.advanceTimersByTimeAsync(999));
    expect(asked).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(asked.sort()).toEqual(
      Object.values(all)
        .map(({ scriptUrl }) => scriptUrl)
        .sort(),
    );
    for (const started of [apple.init, facebook.init, google.initialize]) expect(started).toHaveBeenCalledOnce();
  });

  it("load scripts at once on hover or focus", async () => {
    scripts();
    answering({});
    show();
    fireEvent.focusIn(screen.getByRole("button", { name: "Sign in with Apple" }));
    await waitFor(() => expect(google.renderButton).toHaveBeenCalled());
    expect(google.renderButton.mock.calls[0]?.[1]).toMatchObject({ text: "signin_with", width: 400, locale: "en" });
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Sign in with Google" }).hasAttribute("inert")).toBe(true),
    );
  });
});

describe("Google's own button", () => {
  it("takes the focus over from ours", async () => {
    scripts();
    answering({});
    show();
    act(() => screen.getByRole("button", { name: "Sign in with Google" }).focus());
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Google's own"));
  });
});

describe("signing in", () => {
  it("with Apple sends Apple's payload and the redirect page", async () => {
    scripts();
    appleAnswers();
    const { bodyOf, callsOf } = answering({ "/api/auth/social/apple": signedIn(200) });
    const { onSignedIn } = show({ url: "/en/signin/?redirectPage=/en/coach/&utm_source=x" });
    press("Sign in with Apple");
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledWith({ user, redirectPage: "/en/coach/", kind: "signIn" }));
    expect(bodyOf("/api/auth/social/apple")).toEqual({
      lang: "en",
      email: "ada@example.com",
      appleID: "108",
      token: credential,
    });
    const [path, request] = callsOf("/api/auth/social/apple")[0] ?? [];
    expect(path).toBe("/api/auth/social/apple?redirectPage=%2Fen%2Fcoach%2F&lang=en");
    expect(request?.headers).toHaveProperty("idempotency-key");
  });

  it("with Google creates an account and reports six hashes", async () => {
    scripts();
    const { bodyOf } = answering({ "/api/auth/social/google": signedIn(201) });
    window.dataLayer = [];
    localStorage.setItem("country", "US");
    const { onSignedIn } = show();
    fireEvent.focusIn(screen.getByRole("button", { name: "Sign in with Google" }));
    await waitFor(() => expect(google.initialize).toHaveBeenCalled());
    act(() => google.initialize.mock.calls[0]?.[0].callback({ credential }));
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledWith(expect.objectContaining({ kind: "signUp" })));
    const facts = ["email", "fullName", "googleID", "name", "picturePath", "token"];
    expect(Object.keys(bodyOf("/api/auth/social/google")).sort()).toEqual(facts);
    await waitFor(() => expect(window.dataLayer).toContainEqual(expect.objectContaining({ event: "social_signup" })));
    const signUpEvent = window.dataLayer?.find(({ event }) => event === "social_signup") ?? {};
    for (const fact of facts) expect(signUpEvent[fact], fact).toMatch(/^[0-9a-f]{64}$/);
  });

  it("with Facebook sends Facebook's payload", async () => {
    scripts();
    facebook.login.mockImplementation((done) =>
      done({ status: "connected", authResponse: { accessToken: "EAA1", userID: "77" } }),
    );
    facebook.api.mockImplementation((_path, _parameters, done) => done({ name: "Ada", email: "ada@example.com" }));
    const { bodyOf } = answering({ "/api/auth/social/facebook": signedIn(200) });
    const { onSignedIn } = show();
    press("Sign in with Facebook");
    await waitFor(() => expect(onSignedIn).toHaveBeenCalled());
    expect(bodyOf("/api/auth/social/facebook")).toEqual({
      name: "Ada",
      email: "ada@example.com",
      facebookID: "77",
      token: "EAA1",
    });
  });

  it("sends the survey order and the language in the query: the payload is fully specified", async () => {
    scripts();
    appleAnswers();
    const { callsOf } = answering({ "/api/auth/social/apple": signedIn(201) });
    const { onSignedIn } = show({
      url: "/ja/signup/?orderId=md-7",
      providers: { ...all, google: null, facebook: null },
    });
    press("Sign in with Apple");
    await waitFor(() => expect(onSignedIn).toHaveBeenCalled());
    expect(callsOf("/api/auth/social/apple")[0]?.[0]).toBe("/api/auth/social/apple?orderid=md-7&lang=ja");
  });

  it("is blocked while a required box is unticked", async () => {
    scripts();
    answering({});
    show({ heldBy: "hint" });
    for (const name of ["Apple", "Google", "Facebook"]) {
      const button = screen.getByRole("button", { name: `Sign in with ${name}` });
      expect(button.getAttribute("aria-disabled")).toBe("true");
      expect(button.getAttribute("aria-describedby")).toBe("hint");
      fireEvent.focusIn(button);
      fireEvent.click(button);
    }
    await act(() => new Promise((done) => setTimeout(done)));
    expect(apple.signIn).not.toHaveBeenCalled();
    expect(facebook.login).not.toHaveBeenCalled();
    expect(google.renderButton).not.toHaveBeenCalled();
  });

  it("uses each nonce once", async () => {
    scripts();
    appleAnswers();
    answering({ "/api/auth/social/apple": refusing(401, "SOCIAL_TOKEN_INVALID") });
    show({ providers: { ...all, google: null, facebook: null } });
    press("Sign in with Apple");
    await screen.findByRole("alert");
    press("Sign in with Apple");
    await waitFor(() => expect(apple.signIn).toHaveBeenCalledTimes(2));
    expect(apple.init.mock.calls.map(([{ nonce: used }]) => used).filter((used) => used === "n-1")).not.toEqual([]);
    expect(apple.init.mock.lastCall?.[0].nonce).toBe("n-2");
  });
});

describe("a sign-in that failed", () => {
  const busy = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-busy");

  it("by closing Apple's or Facebook's window shows no message and leaves the button enabled", async () => {
    scripts();
    answering({});
    let close = (_: unknown) => {};
    apple.signIn.mockImplementation(() => new Promise((_, reject) => (close = reject)));
    facebook.login.mockImplementation((done) => (close = () => done({ status: "unknown", authResponse: null })));
    show();
    for (const [name, asked] of [
      ["Sign in with Apple", apple.signIn],
      ["Sign in with Facebook", facebook.login],
    ] as const) {
      press(name);
      await waitFor(() => expect(asked).toHaveBeenCalled());
      expect(busy(name)).toBe("true");
      act(() => close({ error: "popup_closed_by_user" }));
      await waitFor(() => expect(busy(name)).toBeNull());
      expect(screen.queryByRole("alert")).toBeNull();
    }
  });

  it.each([
    [401, "SOCIAL_TOKEN_INVALID", "We could not confirm what Apple told us."],
    [422, "SOCIAL_EMAIL_MISSING", "Apple did not tell us your e-mail address."],
    [422, "SOCIAL_EMAIL_UNVERIFIED", "Apple has not confirmed your e-mail address"],
    [503, "SOCIAL_UNAVAILABLE", "Apple does not answer just now."],
    [429, "TOO_MANY_ATTEMPTS", "Too many attempts."],
    [500, "INTERNAL", "Something went wrong on our side."],
  ])("because of %i %s shows the reason and the alternatives", async (status, code, words) => {
    scripts();
    appleAnswers();
    answering({ "/api/auth/social/apple": refusing(status, code) });
    const { onSignedIn } = show();
    press("Sign in with Apple");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain(words);
    expect(alert.textContent).toContain("You can also use your e-mail address.");
    expect(busy("Sign in with Apple")).toBeNull();
    expect(onSignedIn).not.toHaveBeenCalled();
  });

  it.each([
    ["Apple", "apple"],
    ["Google", "google"],
    ["Facebook", "facebook"],
  ])("because %s's script was blocked shows it and can be retried", async (name, file) => {
    const asked = scripts({ broken: [file] });
    answering({});
    // Scripts are loaded once per URL: each case has its own.
    const elsewhere = { clientId: "c-1", scriptUrl: `https://blocked.example/${file}.js` };
    show({ providers: { apple: elsewhere, google: elsewhere, facebook: elsewhere } });
    press(`Sign in with ${name}`);
    expect((await screen.findByRole("alert")).textContent).toContain(`${name} could not be loaded.`);
    const before = asked.filter((src) => src.includes(file)).length;
    press(`Sign in with ${name}`);
    await waitFor(() => expect(asked.filter((src) => src.includes(file)).length).toBeGreaterThan(before));
  });

  it("because the window was blocked shows it", async () => {
    scripts();
    answering({});
    apple.signIn.mockRejectedValue({ error: "popup_blocked_by_browser" });
    show();
    press("Sign in with Apple");
    expect((await screen.findByRole("alert")).textContent).toContain("Your browser kept Apple's window shut.");
  });
});

describe("on Russian pages", () => {
  const missing = refusing(422, "SOCIAL_ACCOUNT_MISSING");

  it("the sign-in creates no account and leads to the sign-up with its consents", async () => {
    scripts();
    appleAnswers();
    const { callsOf } = answering({ "/api/auth/social/apple": missing });
    show({ mode: "signIn", url: "/ru/signin/?orderid=md-7" });
    press("Sign in with Apple");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("There is no account for this Apple sign-in yet.");
    expect(alert.querySelector("a")?.getAttribute("href")).toBe("/ru/signup/?orderid=md-7");
    expect(callsOf("/api/auth/social/apple")[0]?.[0]).toContain("existingOnly=true");
  });

  it.each([
    ["signUp", "/ru/signup/", "Sign up with Apple"],
    ["signIn", "/en/signin/", "Sign in with Apple"],
  ] as const)("an account may be created by %s on %s", async (mode, url, name) => {
    scripts();
    appleAnswers();
    const { callsOf } = answering({ "/api/auth/social/apple": signedIn(201) });
    const { onSignedIn } = show({ mode, url });
    press(name);
    await waitFor(() => expect(onSignedIn).toHaveBeenCalled());
    expect(callsOf("/api/auth/social/apple")[0]?.[0]).not.toContain("existingOnly");
  });
});
