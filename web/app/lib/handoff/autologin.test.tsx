// @vitest-environment jsdom
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setSession } from "../session/session";
import { useAutoSignin } from "./auto-signin";
import { useAutologin } from "./autologin";

const AUTOLOGIN_URL = "https://app.example/autologin";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)";

const submitted = vi.fn((form: HTMLFormElement) => ({
  method: form.method,
  action: form.action,
  rel: form.rel,
  hidden: form.hidden,
  fields: Object.fromEntries(new FormData(form)),
}));

function onPage<T>(hook: () => T, url: string, autologinUrl: string | null = AUTOLOGIN_URL) {
  const wrapper = ({ children }: { children: ReactNode }) => {
    const router = createMemoryRouter([{ id: "routes/page", path: "*", element: children, loader: () => null }], {
      initialEntries: [url],
      hydrationData: { loaderData: { "routes/page": { autologinUrl } } },
    });
    return <RouterProvider router={router} />;
  };
  return renderHook(hook, { wrapper });
}

beforeEach(() => {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => Response.json({ token: "handed" }, { status: 201 })),
  );
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function submit(this: HTMLFormElement) {
    submitted(this);
  });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  submitted.mockClear();
  document.body.innerHTML = "";
});

describe("autologin", () => {
  it("posts a hidden form with the token, the language and further fields, ten milliseconds later", async () => {
    vi.useFakeTimers();
    const { result } = onPage(useAutologin, "/tr/signin/");
    expect(await result.current?.({ redirect: "redeemCode", code: "CALM" })).toBe(true);
    expect(fetch).toHaveBeenCalledWith(
      "/api/auth/handoff-tokens",
      expect.objectContaining({ method: "POST", body: '{"purpose":"autologin"}' }),
    );
    vi.advanceTimersByTime(9);
    expect(submitted).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(submitted.mock.results[0]?.value).toEqual({
      method: "post",
      action: AUTOLOGIN_URL,
      rel: "noreferrer",
      hidden: true,
      fields: { redirect: "redeemCode", code: "CALM", lang: "tr", token: "handed" },
    });
  });

  it("does not let further fields override token or language", async () => {
    const { result } = onPage(useAutologin, "/en/signin/");
    await result.current?.({ token: "forged", lang: "xx" });
    await waitFor(() => expect(submitted).toHaveBeenCalled());
    expect(submitted.mock.results[0]?.value.fields).toEqual({ token: "handed", lang: "en" });
  });

  it("is absent without an autologin URL", () => {
    expect(onPage(useAutologin, "/en/signin/", null).result.current).toBeNull();
  });

  it("does nothing without a token, and logs it", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    vi.stubGlobal("fetch", async () => Response.json({ code: "V100" }, { status: 401 }));
    const { result } = onPage(useAutologin, "/en/signin/");
    expect(await result.current?.()).toBe(false);
    expect(document.querySelector("form")).toBeNull();
  });
});

describe("on a success page", () => {
  const ada = { user_id: "usr_1", fullName: "Ada", email: "a@b.c", isCoachingUser: false, isTherapyUser: false };
  const arrive = (userAgent: string, url: string, isMember = true) => {
    setSession(isMember ? { state: "member", user: ada } : { state: "visitor" });
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
    onPage(useAutoSignin, url);
  };

  it("opens the app for a member with an iPhone when the link asks for it, once", async () => {
    arrive(IPHONE, "/en/success/?isAutosignin=1");
    await waitFor(() => expect(submitted).toHaveBeenCalledOnce());
    expect(submitted.mock.results[0]?.value.fields).toEqual({ token: "handed", lang: "en" });
  });

  it.each([
    ["with another phone", "Mozilla/5.0 (Linux; Android 16; Pixel) Mobile", "/en/success/?isAutosignin=1", true],
    ["by a link that does not ask", IPHONE, "/en/success/?isAutosignin=0", true],
    ["who is not signed in", IPHONE, "/en/success/?isAutosignin=1", false],
  ])("stays for %s", async (_, userAgent, url, isMember) => {
    vi.useFakeTimers();
    arrive(userAgent, url, isMember);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(submitted).not.toHaveBeenCalled();
  });
});
