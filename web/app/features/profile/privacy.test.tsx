// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { currentUser, setSession } from "~/lib/session/session";
import { alertText, field, gateway, press, sentTo, show } from "./test-harness";

describe("the data export", () => {
  it("asks for the password of a session that is not recent", async () => {
    gateway.replies["GET /api/account/export"] = [403, { code: "STEP_UP_REQUIRED", methods: ["password"] }];
    show();
    press("Download my data");
    const dialog = within(await screen.findByRole("dialog"));
    fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(await alertText()).toBe("Please confirm first that it is you, then try again.");
  });

  it("downloads a file", async () => {
    gateway.replies["GET /api/account/export"] = [200, { auth: { email: "ada@example.org" } }];
    const saved: Blob[] = [];
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => saved.push(blob) && "blob:1" }));
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    show();
    press("Download my data");
    await screen.findByText("The file is in your downloads.");
    expect(clicked.mock.contexts[0]).toMatchObject({ download: "stillpoint-data.json" });
    expect(JSON.parse((await saved[0]?.text()) ?? "")).toEqual({ auth: { email: "ada@example.org" } });
  });
});

describe("deleting the account", () => {
  const open = () => {
    press("Delete my account");
    return within(screen.getByRole("dialog"));
  };
  const type = (value: string) => fireEvent.change(field("Your password"), { target: { value } });

  it("explains the consequences, asks for the password, and shows a receipt until all services are done", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    gateway.replies["POST /api/account/erasure"] = [202, { erasure_id: "era_1", state: "requested" }];
    const pending = { service: "checkout", state: "pending", erased_at: null };
    const gone = { service: "analytics", state: "erased", erased_at: "2026-11-21T13:00:00Z" };
    gateway.replies["GET /api/account/erasures/era_1"] = [
      200,
      { erasure_id: "era_1", finished_at: null, services: [gone, pending] },
    ];
    const router = show();
    const dialog = open();
    expect(dialog.getAllByRole("listitem")).toHaveLength(4);
    type("a quiet place");
    fireEvent.click(dialog.getByRole("button", { name: "Delete for good" }));

    await screen.findByRole("heading", { level: 1, name: "Your account is being deleted" });
    expect(sentTo("POST /api/account/erasure")).toEqual([{ password: "a quiet place" }]);
    expect(currentUser()).toBeNull();
    await waitFor(() => expect(router.state.location.search).toBe("?erasure=era_1"));
    await screen.findByText("In progress");

    const services = [gone, { ...pending, erased_at: "2026-11-21T13:01:00Z" }];
    gateway.replies["GET /api/account/erasures/era_1"] = [
      200,
      { erasure_id: "era_1", finished_at: "2026-11-21T13:01:00Z", services },
    ];
    await vi.advanceTimersByTimeAsync(2_000);
    await screen.findByRole("heading", { level: 1, name: "Your account is deleted" });
    const asked = sentTo("GET /api/account/erasures/era_1").length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sentTo("GET /api/account/erasures/era_1")).toHaveLength(asked);
  });

  it("stops at a wrong password, and forgets it with the dialog", async () => {
    gateway.replies["POST /api/account/erasure"] = [403, { code: "WRONG_PASSWORD" }];
    show();
    const dialog = open();
    type("wrong");
    fireEvent.click(dialog.getByRole("button", { name: "Delete for good" }));
    await dialog.findByText("This password is not right.");
    expect(field("Your password").getAttribute("aria-invalid")).toBe("true");
    expect(currentUser()).not.toBeNull();
    fireEvent.click(dialog.getByRole("button", { name: "Keep my account" }));
    open();
    expect(field("Your password").value).toBe("");
  });

  it("asks members without a password to sign in again", async () => {
    gateway.replies["POST /api/account/erasure"] = [403, { code: "STEP_UP_REQUIRED", methods: ["sign_in"] }];
    show();
    const dialog = open();
    fireEvent.click(dialog.getByRole("button", { name: "Delete for good" }));
    await screen.findByRole("dialog", { name: "Confirm that it is you" });
    expect(screen.getByText(/please sign in again first/)).toBeTruthy();
  });

  it("goes on after the password was confirmed", async () => {
    gateway.replies["POST /api/account/erasure"] = [403, { code: "STEP_UP_REQUIRED", methods: ["password"] }];
    gateway.replies["POST /api/account/step-up"] = [204, null];
    show();
    const dialog = open();
    fireEvent.click(dialog.getByRole("button", { name: "Delete for good" }));
    const asking = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
    gateway.replies["POST /api/account/erasure"] = [202, { erasure_id: "era_1", state: "requested" }];
    fireEvent.change(asking.getByLabelText("Your password"), { target: { value: "calm-1" } });
    fireEvent.click(asking.getByRole("button", { name: "Confirm" }));
    await screen.findByRole("heading", { level: 1, name: "Your account is being deleted" });
    expect(sentTo("POST /api/account/erasure")).toHaveLength(2);
  });

  it("shows no receipt for an unknown id", async () => {
    setSession({ state: "visitor" });
    show({}, "/en/profile/?erasure=made-up");
    await screen.findByRole("heading", { level: 1, name: "We know of no such receipt" });
  });
});
