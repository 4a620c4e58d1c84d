import { describe, expect, it } from "vitest";
import { parseTrackingCookie, trackingOf, withTracking } from "./tracking";

describe("tracking parameters", () => {
  it("are the eleven allowed ones", () => {
    const query = new URLSearchParams("utm_source=a&foo=b&token=secret&adid=7&utm_term=");
    expect(trackingOf(query)).toEqual({ utm_source: "a", adid: "7" });
  });

  it("are read from the cookie, also when it is broken", () => {
    const cookie = `a=1; utm_params=${encodeURIComponent("utm_source=x&evil=1")}; b=2`;
    expect(parseTrackingCookie(cookie)).toEqual({ utm_source: "x" });
    expect(parseTrackingCookie("utm_params=%E0%A4%A")).toEqual({});
    expect(parseTrackingCookie("")).toEqual({});
  });

  it("are added to a link's own parameters", () => {
    expect(withTracking("/en/x/?a=1#top", { utm_source: "n" })).toBe("/en/x/?a=1&utm_source=n#top");
    expect(withTracking("/en/x/", {})).toBe("/en/x/");
  });
});
