// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setSession } from "~/lib/session/session";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import MemberAccount from "./member-account";

const ID = "member-account";

beforeEach(() => {
  stubBrowser();
  vi.stubGlobal("fetch", async () => Response.json({ subscriptions: [], purchases: [] }));
});

afterEach(() => {
  cleanup();
  setSession({ state: "unknown" });
  vi.unstubAllGlobals();
});

describe("a member's account", () => {
  it("shows visitors the sign-in link, with the way back", () => {
    setSession({ state: "visitor" });
    renderBlock(MemberAccount, { id: ID, url: "/en/account/" });
    expect(screen.getByRole("heading", { level: 1, name: "Your subscription" })).toBeTruthy();
    const link = screen.getByRole("link", { name: "Sign in" });
    expect(link.getAttribute("href")).toBe("/en/signin/?redirectPage=%2Fen%2Faccount%2F");
  });

  it("links members without a subscription to content's plans", async () => {
    const user = {
      user_id: "usr_1",
      fullName: "Ada",
      email: "ada@example.org",
      isCoachingUser: false,
      isTherapyUser: false,
    };
    setSession({ state: "member", user });
    renderBlock(MemberAccount, { id: ID, url: "/en/account/" });
    expect(await screen.findByRole("heading", { name: "Nothing runs at the moment" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "See the plans" }).getAttribute("href")).toBe("/en/pricing/");
  });
});
