// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { renderBlock } from "../family-tests/test-harness";
import { samples } from "../samples";
import CampaignLanding from "./campaign-landing";

const timer = () => screen.getByRole("timer").textContent;
const goOn = () => screen.getByRole("button", { name: "Go on" });
const isHeld = () => goOn().getAttribute("aria-disabled") === "true";
const reason = () => document.getElementById(goOn().getAttribute("aria-describedby") ?? "")?.textContent;

describe("the landing page of a campaign", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("counts down to zero and still allows the purchase", () => {
    renderBlock(CampaignLanding, { id: "campaign" });
    expect(timer()).toBe("15:00");
    act(() => vi.advanceTimersByTime(899_000));
    expect(timer()).toBe("00:01");
    act(() => vi.advanceTimersByTime(600_000));
    expect(timer()).toBe("00:00");
    for (const box of screen.getAllByRole("checkbox")) fireEvent.click(box);
    expect(isHeld()).toBe(false);
  });

  it("starts anew when it is opened again", () => {
    renderBlock(CampaignLanding, { id: "campaign" });
    act(() => vi.advanceTimersByTime(300_000));
    expect(timer()).toBe("10:00");
    cleanup();
    renderBlock(CampaignLanding, { id: "campaign" });
    expect(timer()).toBe("15:00");
  });

  it("shows paymentError without a price, blocks the purchase, and reloads the price", () => {
    const sample = samples.find(({ id }) => id === "campaign") as (typeof samples)[number] & { options: object[] };
    const options = sample.options.map((option) => ({ ...option, offer: null }));
    samples.push({ ...sample, id: "unpriced", options } as typeof sample);
    renderBlock(CampaignLanding, { id: "unpriced" });
    for (const box of screen.getAllByRole("checkbox")) fireEvent.click(box);
    expect(isHeld()).toBe(true);
    expect(screen.getByRole("alert").textContent).toBe(catalogues.en.checkout.faults.paymentError);
    expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
    samples.pop();
  });

  it("has no box without a text from content", () => {
    const sample = samples.find(({ id }) => id === "campaign") as (typeof samples)[number];
    samples.push({ ...sample, id: "wordless", termsAndConditionsTextHtml: null, gdprTextHtml: null } as typeof sample);
    renderBlock(CampaignLanding, { id: "wordless" });
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    expect(isHeld()).toBe(false);
    samples.pop();
  });

  it("continues only with every box ticked, and says so", () => {
    renderBlock(CampaignLanding, { id: "campaign" });
    const [terms, consent] = screen.getAllByRole("checkbox") as [HTMLElement, HTMLElement];
    expect(isHeld()).toBe(true);
    expect(reason()).toBe("Tick both boxes to continue.");
    fireEvent.click(terms);
    expect(isHeld()).toBe(true);
    expect(reason()).toBe("Tick both boxes to continue.");
    fireEvent.click(consent);
    expect(isHeld()).toBe(false);
    expect(reason()).toBeUndefined();
    fireEvent.click(terms);
    expect(isHeld()).toBe(true);
  });
});
