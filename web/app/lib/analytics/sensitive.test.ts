import { describe, expect, it } from "vitest";
import { isSensitive } from "./sensitive";

describe("sensitive pages", () => {
  it.each([
    "/en/survey/",
    "/tr/survey/start/",
    "/en/coach/",
    "/en/coaching-signup/",
    "/de/success/counseling-welcome/b2b/",
    "/en/success/coaching/downloadapp/",
    "/en/therapy/",
    "/en/articles/first-therapy-session/",
    "/en/gympass/",
    "/en/success/downloadapp/wellhub/",
    "/en/link-account/",
    "/en/your-program/",
    "/en/creating-program/",
  ])("are recognised by their path: %s", (path) => expect(isSensitive(path)).toBe(true));

  it.each(["/en/", "/en/pricing/", "/en/programs/sleep/", "/en/successpage-specialprogram/", "/en/payment/annual/"])(
    "do not include %s",
    (path) => expect(isSensitive(path)).toBe(false),
  );
});
