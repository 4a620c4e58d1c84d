// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import ButtonRow from "./button-row";

describe("buttons of content", () => {
  beforeEach(() => stubBrowser());
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("have their variant: filled, outlined, quiet or link", () => {
    renderBlock(ButtonRow, { id: "buttons" });
    const looks = ["Start your free week", "See the plans", "Compare them", "Read how it works"].map(
      (name) => screen.getByRole("link", { name }).className,
    );
    expect(
      looks.map((look) =>
        ["bg-action", "border-field", "hover:bg-mist", "hover:underline"].filter((part) =>
          look.split(" ").includes(part),
        ),
      ),
    ).toEqual([["bg-action"], ["border-field"], ["hover:bg-mist"], ["hover:underline"]]);
  });

  it("lead to a page of this site with a trailing slash, or out in a new tab", () => {
    renderBlock(ButtonRow, { id: "buttons-small" });
    expect(screen.getByRole("link", { name: "Listen now" }).getAttribute("href")).toBe("/en/payment/annual/");
    const outside = screen.getByRole("link", { name: /On the app store/ });
    expect(outside.getAttribute("target")).toBe("_blank");
    expect(outside.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  });

  it("open the app on a phone", () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (iPhone)");
    renderBlock(ButtonRow, { id: "buttons-small" });
    expect(screen.getByRole("link", { name: "Open the app" }).getAttribute("href")).toBe("stillpoint://today");
  });

  it("have the editor's colours, from a style sheet of this site", async () => {
    renderBlock(ButtonRow, { id: "buttons-coloured" });
    const gift = await screen.findByRole("link", { name: "Give a calm year" });
    expect(gift.classList).toContain("paint_ink-xffffff_ground-x22533b_width-280");
    const sheet = "/paint/ink-xffffff_ground-x22533b_width-280.css";
    expect(document.head.querySelector(`link[rel="stylesheet"][href="${sheet}"]`)).not.toBeNull();
    expect(document.querySelector("[style]")).toBeNull();
  });

  it("that are disabled say why, and lead nowhere", () => {
    renderBlock(ButtonRow, { id: "buttons-disabled" });
    const book = screen.getByRole("button", { name: "Book the workshop", description: /Full until March/ });
    expect(book.getAttribute("aria-disabled")).toBe("true");
    book.focus();
    expect(document.activeElement).toBe(book);
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("have the requested width, and an info line below", () => {
    renderBlock(ButtonRow, { id: "buttons-wide" });
    const wide = screen.getByRole("link", { description: /Jederzeit kündbar/ });
    expect(wide.className).toContain("w-full");
  });

  it("report their event", () => {
    window.dataLayer = [];
    renderBlock(ButtonRow, { id: "buttons-wide" });
    fireEvent.click(screen.getByRole("link"));
    expect(window.dataLayer).toEqual([expect.objectContaining({ event: "plan_click", eventSection: "end" })]);
  });
});
