import { describe, expect, it } from "vitest";
import { siteType } from "./device";

const IPAD =
  "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15";
const ANDROID_PHONE = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
const ANDROID_TABLET = "Mozilla/5.0 (Linux; Android 14; SM-X910) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

describe("the site type", () => {
  it.each([
    ["an iPad", IPAD, 5, "tablet"],
    ["an iPad that says it is a Mac", MAC, 5, "tablet"],
    ["an Android tablet", ANDROID_TABLET, 10, "tablet"],
    ["an iPhone", IPHONE, 5, "mobile"],
    ["an Android phone", ANDROID_PHONE, 5, "mobile"],
    ["a Mac", MAC, 0, "desktop"],
    ["nothing known", "", 0, "desktop"],
  ])("follows from the user agent: %s", (_, userAgent, touchPoints, expected) => {
    expect(siteType(userAgent, touchPoints)).toBe(expected);
  });
});
