// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import { samples } from "../samples";
import GiftSuccess from "./gift-success";

const LINK = "https://stillpoint.example/en/gift/abc/";
const id = samples.find(({ __typename }) => __typename === "GiftSuccess")?.id ?? "";

function deciding(to: string | null) {
  const fetched = vi.fn(async (_: string) => Response.json({ to }));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("offers the link that the gateway allows", async () => {
  const fetched = deciding(LINK);
  renderBlock(GiftSuccess, { id, url: `/en/?url=${encodeURIComponent(LINK)}` });
  expect(((await screen.findByRole("textbox")) as HTMLInputElement).value).toBe(LINK);
  expect(fetched.mock.calls[0]?.[0]).toBe(`/api/redirects?parameter=url&to=${encodeURIComponent(LINK)}`);
});

it.each(["?url=https://evil.example/", ""])("offers no copy without a link of ours: %s", async (query) => {
  deciding(null);
  renderBlock(GiftSuccess, { id, url: `/en/${query}` });
  expect(await screen.findByRole("status", { name: "" })).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
});

it("says that the card is ready only for an existing card", async () => {
  deciding(null);
  renderBlock(GiftSuccess, { id, url: "/en/?paymentMethod=yookassa" });
  await screen.findByRole("status", { name: "" });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Your gift card");
  cleanup();
  deciding(LINK);
  renderBlock(GiftSuccess, { id, url: `/en/?url=${encodeURIComponent(LINK)}` });
  await screen.findByRole("textbox");
  expect(screen.getByRole("heading", { level: 1 }).textContent).not.toBe("Your gift card");
});

it.each([
  ["?paymentMethod=yookassa", "We are waiting for your bank."],
  ["?paymentMethod=card", "The link is in the letter we sent you."],
  ["", "The link is in the letter we sent you."],
])("without a link shows the waiting text only to a buyer from YooKassa: %s", async (query, text) => {
  deciding(null);
  renderBlock(GiftSuccess, { id, url: `/en/${query}` });
  expect((await screen.findByRole("status", { name: "" })).textContent).toBe(text);
});
