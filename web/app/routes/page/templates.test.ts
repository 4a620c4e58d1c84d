import { describe, expect, it } from "vitest";
import { columnsOf, layoutOf, mainClass, TEMPLATES } from "./templates";

const sections = [{ __typename: "PaymentForm" }, { __typename: "Accordion" }, { __typename: "MarkdownText" }];
const kinds = (list: { __typename: string }[]) => list.map((section) => section.__typename);

describe("templates", () => {
  it("are the thirteen of the specification", () => {
    expect(TEMPLATES).toEqual(
      "Autosignin CreatingProgram GiftPayment Home Landing LoginRegister Page Payment PaymentNoRedirect SideBarRight SuccessPage SuccessPageTemplateWithUpdateProfile TwoColPayment".split(
        " ",
      ),
    );
  });

  it.each(["Hologram", "", "toString", "__proto__"])("unknown ones, such as %s, are plain pages", (template) => {
    expect(layoutOf(template)).toEqual(layoutOf("Page"));
  });

  it("distinguish landing pages from plain ones", () => {
    expect(layoutOf("Landing")).not.toEqual(layoutOf("Page"));
    expect(layoutOf("Home").width).toBe("bleed");
  });

  it("keep payment and account pages quiet", () => {
    expect(["Payment", "PaymentNoRedirect", "GiftPayment", "LoginRegister"].every((name) => layoutOf(name).quiet)).toBe(
      true,
    );
    expect(["Page", "Landing", "Home", "SideBarRight"].some((name) => layoutOf(name).quiet)).toBe(false);
  });
});

describe("blocks on a page", () => {
  it("are stacked", () => {
    expect(columnsOf("stack", sections)).toEqual({ main: sections, side: [] });
  });

  it("have the last one at the side", () => {
    const { main, side } = columnsOf("sideEnd", sections);
    expect([kinds(main), kinds(side)]).toEqual([["PaymentForm", "Accordion"], ["MarkdownText"]]);
  });

  it("have two columns on a payment page", () => {
    const { main, side } = columnsOf("twoColumns", sections);
    expect([kinds(main), kinds(side)]).toEqual([["PaymentForm"], ["Accordion", "MarkdownText"]]);
  });

  it("are not split when there is one only, or the form has its own columns", () => {
    expect(columnsOf("sideEnd", sections.slice(0, 1)).side).toEqual([]);
    expect(columnsOf("twoColumns", [...sections, { __typename: "TwoColPaymentForm" }]).side).toEqual([]);
  });
});

describe("the class of a page", () => {
  it("names the partner on its paths only", () => {
    const landing = layoutOf("Landing");
    expect(mainClass(landing, "/Pasaj/stillpoint", null)).toBe("partner-pasaj");
    expect(mainClass(landing, "/offers", "winter")).toBe("winter");
    expect(mainClass(layoutOf("Page"), "/x/Pasaj", "winter")).toBe("contained partner-pasaj winter");
  });
});
