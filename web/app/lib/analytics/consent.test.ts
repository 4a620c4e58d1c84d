// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ConsentStatus, consentStatusOf, readChoice, type Visitor } from "./consent";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DAY = 86_400_000;

describe("the consent status", () => {
  const visitor: Visitor = { country: "US", choice: null, objects: false };

  it.each<[string, Partial<Visitor>, ConsentStatus]>([
    ["yes, where the law does not ask", {}, "granted"],
    ["not before they say so, in the EU", { country: "DE" }, "open"],
    ["nor in Norway", { country: "NO" }, "open"],
    ["nor in Switzerland", { country: "CH" }, "open"],
    ["nor in Britain", { country: "GB" }, "open"],
    ["nor in Türkiye", { country: "TR" }, "open"],
    ["not while the country is unknown", { country: "" }, "unknown"],
    ["as they said, in the EU", { country: "DE", choice: "accepted" }, "granted"],
    ["as they said, anywhere", { choice: "declined" }, "refused"],
    ["never against their browser's word", { objects: true, choice: "accepted" }, "refused"],
  ])("%s", (_, change, expected) => {
    expect(consentStatusOf({ ...visitor, ...change })).toBe(expected);
  });

  it("asks again after half a year, and for an invalid stored value", () => {
    expect(readChoice(`accepted ${NOW - 179 * DAY}`, NOW)).toBe("accepted");
    expect(readChoice(`declined ${NOW - 181 * DAY}`, NOW)).toBeNull();
    for (const stored of [null, "", "accepted", "yes 1", `accepted x`]) expect(readChoice(stored, NOW)).toBeNull();
  });
});

describe("the visitor's choice", () => {
  afterEach(() => {
    vi.resetModules();
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  it("is stored for the next page", async () => {
    localStorage.setItem("country", "DE");
    const here = await import("./consent");
    expect(here.consentStatus()).toBe("open");
    here.choose("accepted");
    expect(here.consentStatus()).toBe("granted");
    vi.resetModules();
    const next = await import("./consent");
    expect(next.consentStatus()).toBe("granted");
    next.choose("declined");
    expect(next.consentStatus()).toBe("refused");
  });

  it("is the browser's signal where it sends one", async () => {
    localStorage.setItem("country", "US");
    const { consentStatus } = await import("./consent");
    expect(consentStatus()).toBe("granted");
    vi.stubGlobal("navigator", { globalPrivacyControl: true });
    expect(consentStatus()).toBe("refused");
    vi.stubGlobal("navigator", { doNotTrack: "1" });
    expect(consentStatus()).toBe("refused");
  });
});
