// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import DynamicProgramContent from "../dynamic-program-content/dynamic-program-content";
import Qr from "../qr/qr";
import SuccessPage from "../success-page/success-page";
import SuggestedProgramPage from "../suggested-program-page/suggested-program-page";
import { renderBlock, stubBrowser } from "./test-harness";

/** Pages of journeys: programmes, codes and success pages. */

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("the code is shown with a button for phones", () => {
  renderBlock(Qr, { id: "qr" });
  expect(screen.getByRole("img").querySelector("path")).not.toBeNull();
  expect(screen.getByRole("link", { name: /Open the app/ })).toBeTruthy();
});

it("a code names its target, and has no button without one", () => {
  renderBlock(Qr, { id: "qr-plain" });
  expect(screen.getByText(/^www\.stillpoint\.example\/app\/sessions/)).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});

describe("a success page", () => {
  it("numbers its steps, and the first opens the app", () => {
    renderBlock(SuccessPage, { id: "success" });
    const [steps] = screen.getAllByRole("list");
    const numbered = within(steps as HTMLElement).getAllByRole("listitem");
    expect(numbered.map((step) => step.textContent?.slice(0, 6))).toEqual(["1Get t", "2Sign ", "3Liste"]);
    expect(
      within(numbered[0] as HTMLElement)
        .getByRole("link")
        .getAttribute("href"),
    ).toBe("https://www.example.com/app/");
  });

  it("explains its code with camera, code and tick", () => {
    const { container } = renderBlock(SuccessPage, { id: "success" });
    expect(screen.getByRole("img", { name: "Code that opens the app on your phone" })).toBeTruthy();
    for (const icon of ["camera", "code", "check"]) {
      expect(container.querySelector(`ul use[href$='#${icon}']`), icon).not.toBeNull();
    }
  });

  it("shows one picture on phones and another on larger screens", () => {
    const { container } = renderBlock(SuccessPage, { id: "success-picture" });
    const pictures = [...container.querySelectorAll("img")].map((picture) => picture.getAttribute("src"));
    expect(pictures).toEqual(["/art/orb/gift-sent.svg", "/art/lotus/gift-sent.svg"]);
  });

  it("thanks a returning buyer when the payment is confirmed", async () => {
    let answer: (state: string) => void = () => undefined;
    const asked = new Promise<Response>((resolve) => {
      answer = (state) => resolve(Response.json({ status: true, data: { state }, code: null, message: null }));
    });
    vi.stubGlobal("fetch", () => asked);
    renderBlock(SuccessPage, { id: "success", url: "/en/?pg_captured=1&pg_payment_id=7" });
    expect(screen.getByRole("heading").textContent).toBe("Looking at your payment");
    expect(screen.queryByRole("list")).toBeNull();
    expect(document.documentElement.hasAttribute("data-unpaid")).toBe(true);
    answer("paid");
    expect(await screen.findAllByRole("list")).not.toHaveLength(0);
    expect(screen.queryByText("Looking at your payment")).toBeNull();
    expect(document.documentElement.hasAttribute("data-unpaid")).toBe(false);
  });
});

describe("a suggested programme", () => {
  it("shows each meditation's duration and access", () => {
    renderBlock(SuggestedProgramPage, { id: "suggested", url: "/fr/" });
    const rows = screen.getAllByRole("listitem");
    expect(rows.map((row) => row.textContent?.match(/(\d+)\smin/)?.[1])).toEqual(["8", "12", "20"]);
    expect(rows.map((row) => row.textContent?.includes("Premium"))).toEqual([false, true, true]);
    expect(
      within(rows[0] as HTMLElement)
        .getByRole("link")
        .getAttribute("href"),
    ).toBe("/fr/programs/sleep/");
  });

  it("works without picture, text and button", () => {
    const { container } = renderBlock(SuggestedProgramPage, { id: "suggested-plain" });
    expect(container.querySelector("img")).toBeNull();
    expect(screen.getAllByRole("link")).toHaveLength(2);
  });
});

it("the content of a programme is numbered without a picture", () => {
  renderBlock(DynamicProgramContent, { id: "programme-content" });
  const items = screen.getAllByRole("listitem");
  expect(items.map((item) => item.textContent?.match(/^\d/)?.[0])).toEqual([undefined, undefined, "3", "4"]);
  expect(items[0]?.textContent).toContain("3 min");
});
