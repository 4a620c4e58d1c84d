// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import BinOffer from "./bin-offer";

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Stubs the gateway and records the bodies. */
function gateway(status: number, body: object): string[] {
  const sent: string[] = [];
  vi.stubGlobal("fetch", (_: string, { body: text }: { body: string }) => {
    sent.push(text);
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return sent;
}

const field = () => screen.getByLabelText<HTMLInputElement>("First digits of your card");
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const press = () => fireEvent.click(screen.getByRole("button", { name: "Check" }));

describe("an offer for the cards of a bank", () => {
  it("shows neither price nor payment before the card is checked", () => {
    const { container } = renderBlock(BinOffer, { id: "bin-offer" });
    expect(container.textContent).not.toContain("$");
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("accepts eight digits and nothing else", () => {
    renderBlock(BinOffer, { id: "bin-offer" });
    type("4407 7612-3");
    expect(field().value).toBe("44077612");
  });

  it("sends nothing without digits", () => {
    const sent = gateway(200, {});
    renderBlock(BinOffer, { id: "bin-offer" });
    press();
    expect(sent).toEqual([]);
  });

  it("has no field name with which a form without scripts would send the digits", () => {
    renderBlock(BinOffer, { id: "bin-offer" });
    expect(field().name).toBe("");
  });

  it("shows the payment for an eligible card", async () => {
    const sent = gateway(200, { data: { error: false, campaign: "teb40" } });
    renderBlock(BinOffer, { id: "bin-offer" });
    type("440776");
    press();
    const way = await screen.findByRole("link", { name: "Go to payment" });
    expect(way.getAttribute("href")).toBe("/en/payment/teb40/");
    expect(screen.getByRole("status").textContent).toContain("Your card is part of the offer");
    expect(sent).toEqual(['{"card":"440776"}']);
  });

  it("hides it when another card is typed", async () => {
    gateway(200, { data: { error: false } });
    renderBlock(BinOffer, { id: "bin-offer" });
    type("440776");
    press();
    await screen.findByRole("link", { name: "Go to payment" });
    type("4407");
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("leads any other card to the free trial", async () => {
    gateway(200, { data: { error: true } });
    const { router } = renderBlock(BinOffer, { id: "bin-offer" });
    type("424242");
    press();
    const dialog = await screen.findByRole<HTMLDialogElement>("alertdialog");
    expect(dialog.textContent).toContain("This card is not part of the offer");
    dialog.returnValue = "confirm";
    dialog.close();
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/offers/free-trial/"));
  });

  it("stays, with its digits, when the dialog is closed", async () => {
    gateway(200, { data: { error: true } });
    const { router } = renderBlock(BinOffer, { id: "bin-offer" });
    type("424242");
    press();
    const dialog = await screen.findByRole<HTMLDialogElement>("alertdialog");
    dialog.returnValue = "";
    dialog.close();
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(router.state.location.pathname).toBe("/en/");
    expect(field().value).toBe("424242");
  });

  it("shows the rate limit and allows a retry", async () => {
    gateway(429, { code: "RATE_LIMITED" });
    renderBlock(BinOffer, { id: "bin-offer" });
    type("440776");
    press();
    expect((await screen.findByRole("alert")).textContent).toContain("Too many attempts");
    gateway(200, { data: { error: false } });
    press();
    expect(await screen.findByRole("link", { name: "Go to payment" })).toBeTruthy();
  });
});
