// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, it } from "vitest";
import { StepUp } from "~/features/step-up/step-up";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { overdue, sample } from "../subscription-fixture";
import {
  actionCall,
  decide,
  findFocusedNotice,
  gateway,
  has,
  LIST,
  named,
  PURCHASES,
  press,
  sentTo,
  show,
  stripe,
} from "../test-harness";

describe("cancelling", () => {
  it("takes two clicks; the second names what stays and until when", async () => {
    gateway.replies[actionCall("cancel")] = [200, sample({ cancel_at: "2026-12-10T12:00:00Z" })];
    show();
    await press("Cancel subscription");
    const dialog = within(screen.getByRole("alertdialog", { name: "Cancel your subscription?" }));
    expect(
      dialog.getByText(
        "You keep everything until December 10, 2026, and nothing more is charged. Until then you can change your mind.",
      ),
    ).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Yes, cancel" })).toBeTruthy();
    decide("confirm");
    expect(await findFocusedNotice("Cancelled. You keep everything until December 10, 2026.")).toBe("status");
    expect(sentTo(actionCall("cancel"))).toEqual([{}]);
    expect(screen.getByText("Ends on December 10, 2026. You keep everything until then.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
    expect(named("Keep my subscription")).toBeTruthy();
  });

  it("does nothing when the dialog is dismissed", async () => {
    show();
    await press("Cancel subscription");
    decide("cancel");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(gateway.calls.map(({ call }) => call)).toEqual([LIST, PURCHASES]);
  });

  it("can be undone", async () => {
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    gateway.replies[actionCall("keep")] = [200, sample()];
    show();
    await press("Keep my subscription");
    await findFocusedNotice("Good to have you. Your subscription goes on.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
  });

  it("an overdue subscription ends at once, and says so before", async () => {
    has(sample({ status: "past_due", overdue }));
    const ended = sample({ status: "canceled", current_period_end: null });
    gateway.replies[actionCall("cancel")] = [200, ended];
    show();
    await press("Cancel subscription");
    expect(screen.getByText(/It ends at once/)).toBeTruthy();
    decide("confirm");
    await findFocusedNotice("Cancelled. Nothing more is charged.");
    expect(screen.getByRole("heading", { name: "Nothing runs" })).toBeTruthy();
  });

  it("a paused subscription says that it does not resume", async () => {
    has(sample({ paused_until: "2027-01-22T09:00:00Z" }));
    show();
    await press("Cancel subscription");
    expect(screen.getByText("It does not go on after the break, and nothing more is charged.")).toBeTruthy();
  });

  it("waits for a provider that has not answered, and keeps polling", async () => {
    gateway.replies[actionCall("cancel")] = [200, sample({ pending_change: "cancel" })];
    has(sample());
    show();
    await press("Cancel subscription");
    has(sample({ pending_change: "cancel" }));
    decide("confirm");
    await findFocusedNotice(
      "Your change is saved. The payment provider has not answered yet; this page shows the answer as soon as it is here.",
    );
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBe("true");
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    await screen.findByText("Cancelled. You keep everything until December 10, 2026.", {}, { timeout: 3_000 });
  });
});

describe("double clicks", () => {
  it("send one request", async () => {
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    gateway.replies[actionCall("keep")] = [200, sample()];
    show();
    await screen.findByRole("button", { name: "Keep my subscription" });
    let open = () => {};
    gateway.gate = new Promise((done) => {
      open = done;
    });
    await press("Keep my subscription");
    await press("Keep my subscription");
    expect(named("Keep my subscription").getAttribute("aria-busy")).toBe("true");
    expect(named("Use another card").getAttribute("aria-disabled")).toBe("true");
    open();
    await findFocusedNotice("Good to have you. Your subscription goes on.");
    expect(sentTo(actionCall("keep"))).toHaveLength(1);
  });
});

describe("a broken connection", () => {
  const cancel = async () => {
    await press("Cancel subscription");
    gateway.replies[actionCall("cancel")] = "lost";
    decide("confirm");
  };

  it("is resolved by the server's state", async () => {
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    await cancel();
    await findFocusedNotice("Cancelled. You keep everything until December 10, 2026.");
    expect(sentTo(actionCall("cancel"))).toHaveLength(1);
  });

  it("that lost the request leaves everything unchanged", async () => {
    show();
    await cancel();
    await findFocusedNotice(
      "We do not see your change. This is how your subscription stands now; try again if you like.",
    );
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBeNull();
  });

  it("that stays broken shows the outcome as unknown and blocks further actions", async () => {
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    gateway.replies[LIST] = "lost";
    await cancel();
    await findFocusedNotice("The connection was lost. Whether your change arrived is not known yet.");
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBe("true");
  });
});

describe("a refusal", () => {
  it.each([
    ["SUBSCRIPTION_ENDED", "This subscription has ended already."],
    ["SUBSCRIPTION_PAST_DUE", "A payment is overdue. Save another card first."],
    ["SUBSCRIPTION_ENDING", "This subscription is cancelled. Keep it first."],
    ["SUBSCRIPTION_PAUSED", "This subscription is paused. Go on with it first."],
    ["SUBSCRIPTION_ON_TRIAL", "This can be done once the free trial is over."],
    ["PLAN_CHANGE_SCHEDULED", "A change to another plan is already set. Keep your current plan first."],
    ["PAUSE_TOO_LONG", "A break can be three months at most. Please choose again."],
    ["CHANGE_IN_PROGRESS", "Another change is still under way. Please try again in a moment."],
    ["STEP_UP_REQUIRED", "Please confirm first that it is you, then try again."],
    ["UNKNOWN_SUBSCRIPTION", "We cannot find this subscription any more."],
    ["resource_missing", "Something went wrong on our side. Please try again."],
  ])("by %s has a message, and the state is reloaded", async (code, text) => {
    gateway.replies[actionCall("cancel")] = [422, { code }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    expect(await findFocusedNotice(text)).toBe("alert");
    await waitFor(() => expect(sentTo(LIST)).toHaveLength(2));
  });

  it("of a subscription that is not active has a message", async () => {
    gateway.replies[actionCall("cancel")] = [422, { code: "SUBSCRIPTION_NOT_ACTIVE" }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    await findFocusedNotice(
      "This subscription has not begun yet, or it is managed where you bought it, for example at PayPal.",
    );
  });

  it("by the rate limit asks to wait", async () => {
    gateway.replies[actionCall("cancel")] = [429, { code: "RATE_LIMITED" }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    await findFocusedNotice("Too many attempts. Please wait a minute and try again.");
  });
});

describe("a pause", () => {
  it("lasts one, two or three months, and explains the dates", async () => {
    const until = "2027-01-22T09:00:00.000Z";
    gateway.replies[actionCall("pause")] = [200, sample({ paused_until: until })];
    show();
    await press("Take a break");
    const dialog = screen.getByRole<HTMLDialogElement>("dialog", { name: "Take a break" });
    expect(within(dialog).getAllByRole("radio")).toHaveLength(3);
    expect(within(dialog).getByText(/stays open until December 10, 2026/)).toBeTruthy();
    fireEvent.click(within(dialog).getByRole("radio", { name: /2 months/ }));
    act(() => dialog.close("confirm"));
    await screen.findByText("Paused");
    expect(sentTo(actionCall("pause"))).toEqual([{ until }]);
    expect(named("Go on now")).toBeTruthy();
  });

  it("is not offered when it would skip no payment", async () => {
    has(sample({ current_period_end: "2027-11-10T12:00:00Z" }));
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    expect(screen.queryByRole("button", { name: "Take a break" })).toBeNull();
  });

  it("does not start when the dialog is dismissed", async () => {
    show();
    await press("Take a break");
    act(() => screen.getByRole<HTMLDialogElement>("dialog").close("cancel"));
    expect(gateway.calls.map(({ call }) => call)).toEqual([LIST, PURCHASES]);
  });

  it("can be ended early", async () => {
    has(sample({ paused_until: "2027-01-22T00:00:00Z" }));
    gateway.replies[actionCall("resume")] = [200, sample()];
    show();
    await press("Go on now");
    await findFocusedNotice("Your subscription runs again.");
  });
});

/** The block contains it beside the page. */
function showStepUp() {
  const router = createMemoryRouter([{ path: "*", element: <StepUp /> }], { initialEntries: ["/en/account/"] });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

describe("a new card", () => {
  const open = async () => {
    await press("Use another card");
    await screen.findByRole("button", { name: "Save this card" });
  };

  it("is sent to the provider, and only its id to our server", async () => {
    gateway.replies[actionCall("card")] = [200, sample({ card_brand: "mastercard", card_last4: "4444" })];
    show();
    expect(stripe.load).not.toHaveBeenCalled();
    await open();
    await press("Save this card");
    await findFocusedNotice("Your new card is saved.");
    expect(stripe.createPaymentMethod).toHaveBeenCalledWith({
      type: "card",
      card: { is: "the card" },
      billing_details: { name: "Ada", email: "ada@example.org" },
    });
    expect(sentTo(actionCall("card"))).toEqual([{ payment_method_id: "pm_new" }]);
    expect(screen.getByText("Mastercard, ending in 4444")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Save this card" })).toBeNull();
  });

  it("is sent again after the password of a session that is not recent", async () => {
    gateway.replies[actionCall("card")] = [403, { code: "STEP_UP_REQUIRED", methods: ["password"] }];
    gateway.replies["POST /api/account/step-up"] = [204, null];
    show();
    showStepUp();
    await open();
    await press("Save this card");
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
    gateway.replies[actionCall("card")] = [200, sample({ card_brand: "mastercard", card_last4: "4444" })];
    fireEvent.change(dialog.getByLabelText("Your password"), { target: { value: "calm-1" } });
    fireEvent.click(dialog.getByRole("button", { name: "Confirm" }));
    await findFocusedNotice("Your new card is saved.");
    expect(sentTo(actionCall("card"))).toEqual([{ payment_method_id: "pm_new" }, { payment_method_id: "pm_new" }]);
  });

  it("is not sent when the provider finds a fault", async () => {
    stripe.createPaymentMethod.mockResolvedValue({
      error: { type: "validation_error", message: "The number is incomplete." },
    });
    show();
    await open();
    await press("Save this card");
    expect((await screen.findByRole("alert")).textContent).toBe("The number is incomplete.");
    expect(sentTo(actionCall("card"))).toEqual([]);
  });

  it.each([409, 422])("that the bank declines (%i) leaves the form open", async (status) => {
    gateway.replies[actionCall("card")] = [status, { code: "card_declined" }];
    show();
    await open();
    await press("Save this card");
    await findFocusedNotice("Your bank did not accept this card. Try another one, or ask your bank.");
    expect(screen.getByText("Visa, ending in 4242")).toBeTruthy();
    expect(named("Save this card")).toBeTruthy();
  });

  it("shows the amount that is charged at once", async () => {
    has(sample({ status: "past_due", overdue }));
    gateway.replies[actionCall("card")] = [200, sample({ card_last4: "4444" })];
    show();
    await open();
    expect(screen.getByText("$9.99 could not be charged before. It is charged to this card at once.")).toBeTruthy();
    await press("Save this card");
    await findFocusedNotice("Your new card is saved.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
  });

  it("is the first action of an overdue subscription, and only there", async () => {
    has(sample({ overdue: { ...overdue, needs_new_card: true } }));
    show();
    const plan = within(await screen.findByRole("article", { name: "Stillpoint Premium" }));
    const offered = () => plan.getAllByRole("button").map((button) => button.textContent);
    expect(offered()).toEqual(["Use another card", "Cancel subscription"]);
    expect(screen.getAllByRole("button", { name: "Use another card" })).toHaveLength(1);
    await open();
    expect(document.activeElement?.textContent).toBe("New card");
    expect(offered()).toEqual(["Cancel subscription"]);
    await press("Not now");
    await waitFor(() => expect(document.activeElement).toBe(named("Use another card")));
  });

  it("can be retried when the provider's script failed to load", async () => {
    stripe.load.mockRejectedValueOnce(new Error("blocked"));
    show();
    await press("Use another card");
    expect((await screen.findByRole("alert")).textContent).toContain("The secure card form did not load.");
    await press("Try again");
    await screen.findByRole("button", { name: "Save this card" });
  });

  it("returns the focus when the form is closed", async () => {
    show();
    await open();
    expect(document.activeElement?.textContent).toBe("New card");
    await press("Not now");
    await waitFor(() => expect(document.activeElement).toBe(named("Use another card")));
  });
});
