import { describe, expect, it } from "vitest";
import { parseTrackingCookie, trackingOf, withTracking } from "./tracking";

describe("tracking parameters", () => {
  it("keeps the eleven allowed ones and nothing else", () => {
    const query = new URLSearchParams("utm_source=a&foo=b&token=secret&adid=7&utm_term=");
    expect(trackingOf(query)).toEqual({ utm_source: "a", adid: "7" });
  });

  it("reads them back from the cookie, and survives a broken one", () => {
    const cookie = `a=1; utm_params=${encodeURIComponent("utm_source=x&evil=1")}; b=2`;
    expect(parseTrackingCookie(cookie)).toEqual({ utm_source: "x" });
    expect(parseTrackingCookie("utm_params=%E0%A4%A")).toEqual({});
    expect(parseTrackingCookie("")).toEqual({});
  });

  it("adds them to a link beside what it has", () => {
    expect(withTracking("/en/x/?a=1#top", { utm_source: "n" })).toBe("/en/x/?a=1&utm_source=n#top");
    expect(withTracking("/en/x/", {})).toBe("/en/x/");
  });
});
