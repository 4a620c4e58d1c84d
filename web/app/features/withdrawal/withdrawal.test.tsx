// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { setSession } from "~/lib/session/session";
import { WithdrawalForm } from "./withdrawal-form";

interface Sent {
  body: unknown;
  key: string;
}

let sent: Sent[] = [];
let reply: [status: number, body: object] | "lost";

const received = { id: "wdr_1", receivedAt: "2026-11-22T10:00:00Z" };
const ada = {
  user_id: "usr_1",
  fullName: "Ada Quiet",
  email: "ada@example.org",
  isCoachingUser: false,
  isTherapyUser: false,
};

beforeEach(() => {
  sent = [];
  reply = [202, received];
  setSession({ state: "visitor" });
  vi.stubGlobal("fetch", async (path: string, init: { body?: string; headers: Record<string, string> }) => {
    if (path !== "/api/withdrawals") return Response.json({ logged_in: false, user: null });
    sent.push({ body: JSON.parse(init.body ?? ""), key: init.headers["idempotency-key"] ?? "" });
    if (reply === "lost") throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(reply[1]), { status: reply[0] });
  });
  const element = <WithdrawalForm title="Withdraw here" description={null} />;
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: ["/en/withdraw/"] });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
});

afterEach(() => {
  cleanup();
  setSession({ state: "unknown" });
  vi.unstubAllGlobals();
});

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const declare = () => press("Withdraw from contract here");
const fill = () => {
  type("Name", "  Ada Quiet ");
  type("E-mail", "ada@example.org");
};

describe("a withdrawal", () => {
  it("takes two steps, shows the declaration for review, and ends in a receipt", async () => {
    fill();
    type("Order or receipt number", "ord_7");
    declare();
    expect(document.activeElement?.textContent).toBe("One more step");
    expect(screen.getByText("I withdraw from my contract with Stillpoint.")).toBeTruthy();
    expect(sent).toEqual([]);

    press("Confirm withdrawal");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Your withdrawal has arrived"));
    const body = { full_name: "Ada Quiet", email: "ada@example.org", reference: "ord_7", language: "en" };
    expect(sent.map((one) => one.body)).toEqual([body]);
    expect(screen.getByText("wdr_1")).toBeTruthy();
    const time = document.querySelector("time");
    expect(time?.dateTime).toBe(received.receivedAt);
    expect(time?.textContent).toMatch(/November 22, 2026/);
    expect(screen.getByText("ord_7")).toBeTruthy();
    expect(document.querySelector("[data-print]")?.textContent).toContain("wdr_1");
  });

  it("requires only name and address", () => {
    declare();
    expect(screen.getAllByText("Please fill this in.")).toHaveLength(2);
    type("Name", "Ada");
    type("E-mail", "ada");
    declare();
    expect(screen.getByText("Please enter a valid e-mail address.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Confirm withdrawal" })).toBeNull();
  });

  it("can be changed before it is confirmed", async () => {
    fill();
    declare();
    press("Change something");
    expect(document.activeElement).toBe(field("Name"));
    expect(field("Name").value).toBe("Ada Quiet");
    type("Name", "Ada Still");
    declare();
    press("Confirm withdrawal");
    await screen.findByText("wdr_1");
    expect(sent[0]?.body).toMatchObject({ full_name: "Ada Still", reference: "" });
  });

  it("is resent under the same key after a lost answer", async () => {
    fill();
    declare();
    reply = "lost";
    press("Confirm withdrawal");
    await screen.findByRole("alert");
    reply = [202, received];
    press("Confirm withdrawal");
    await screen.findByText("wdr_1");
    expect(sent).toHaveLength(2);
    expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent[1]).toEqual(sent[0]);
  });

  it("shows server faults at their fields, and gets a new key after a correction", async () => {
    fill();
    declare();
    reply = [422, { code: "VALIDATION_FAILED", errors: [{ field: "email", code: "INVALID", message: "No." }] }];
    press("Confirm withdrawal");
    await screen.findByText("Please enter a valid e-mail address.");
    await waitFor(() => expect(document.activeElement).toBe(field("E-mail")));
    reply = [202, received];
    type("E-mail", "ada@example.com");
    declare();
    press("Confirm withdrawal");
    await screen.findByText("wdr_1");
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it("waits after the rate limit", async () => {
    fill();
    declare();
    reply = [429, { code: "TOO_MANY_WITHDRAWALS" }];
    press("Confirm withdrawal");
    expect((await screen.findByRole("alert")).textContent).toMatch(/Too many/i);
  });

  it("is prefilled for members, and typed values win", async () => {
    setSession({ state: "member", user: ada });
    await waitFor(() => expect(field("E-mail").value).toBe("ada@example.org"));
    expect(field("Name").value).toBe("Ada Quiet");
    type("E-mail", "other@example.org");
    declare();
    press("Confirm withdrawal");
    await screen.findByText("wdr_1");
    expect(sent[0]?.body).toMatchObject({ full_name: "Ada Quiet", email: "other@example.org" });
  });
});
