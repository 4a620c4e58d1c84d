// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { openSurveyOrder, orderBody, storedSurvey } from "./order";
import { type SurveyTerms, surveyUrl } from "./survey-url";

const terms: SurveyTerms = {
  flow: 0,
  variant: 15,
  productType: "coaching-x",
  nextPage: "/creating-program",
  abGroup: null,
};

describe("the survey's URL", () => {
  it("contains its parameters", () => {
    expect(surveyUrl("en", terms, [3, 1, 7])).toBe(
      "/en/survey/?categories=3,1,7&flow=0&variant=15&nextPage=%2Fcreating-program",
    );
  });

  it("omits an absent test group and empty categories", () => {
    expect(surveyUrl("tr", { ...terms, abGroup: "b c" }, [])).toBe(
      "/tr/survey/?flow=0&variant=15&nextPage=%2Fcreating-program&abGroup=b%20c",
    );
  });
});

describe("the survey's order", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  it("has the product type before the first dash", () => {
    expect(orderBody(terms, "ru")).toEqual({ flow: 0, variant: 15, producttype: "coaching", lang: "ru" });
    expect(orderBody({ ...terms, productType: null, abGroup: "b" }, "en")).toMatchObject({
      producttype: "",
      abgroup: "b",
    });
  });

  it("is stored under both keys", async () => {
    const fetch = vi.fn(async () => Response.json({ orderid: "o-1" }, { status: 201 }));
    vi.stubGlobal("fetch", fetch);
    await openSurveyOrder(terms, "en", "key-1");
    expect(fetch).toHaveBeenCalledWith(
      "/api/survey/orders",
      expect.objectContaining({ headers: expect.objectContaining({ "idempotency-key": "key-1" }) }),
    );
    expect(localStorage.getItem("mdOrderId")).toBe("o-1");
    expect(storedSurvey()).toEqual({ variant: "15", orderid: "o-1" });
  });

  it("is optional", async () => {
    vi.stubGlobal("fetch", async () => Response.json({}, { status: 503 }));
    await openSurveyOrder(terms, "en", "key-1");
    expect(localStorage.getItem("mdOrderId")).toBeNull();
    expect(storedSurvey()).toBeNull();
  });

  it("is ignored when its stored value is invalid", () => {
    localStorage.setItem("LAST_SURVEY_DATA", "{");
    expect(storedSurvey()).toBeNull();
  });
});
