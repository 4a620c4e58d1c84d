// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { overdue, sample } from "./sample";
import { decide, gateway, has, LIST, named, PURCHASES, press, sentTo, show, stripe, told, wishCall } from "./stage";

describe("cancelling", () => {
  it("takes two clicks, the second of which says what stays and until when", async () => {
    gateway.replies[wishCall("cancel")] = [200, sample({ cancel_at: "2026-12-10T12:00:00Z" })];
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
    expect(await told("Cancelled. You keep everything until December 10, 2026.")).toBe("status");
    expect(sentTo(wishCall("cancel"))).toEqual([{}]);
    expect(screen.getByText("Ends on December 10, 2026. You keep everything until then.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
    expect(named("Keep my subscription")).toBeTruthy();
  });

  it("does nothing where somebody thinks again", async () => {
    show();
    await press("Cancel subscription");
    decide("cancel");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(gateway.calls.map(({ call }) => call)).toEqual([LIST, PURCHASES]);
  });

  it("can be undone", async () => {
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    gateway.replies[wishCall("keep")] = [200, sample()];
    show();
    await press("Keep my subscription");
    await told("Good to have you. Your subscription goes on.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
  });

  it("of what is not paid ends at once, and says so before", async () => {
    has(sample({ status: "past_due", overdue }));
    const ended = sample({ status: "canceled", current_period_end: null });
    gateway.replies[wishCall("cancel")] = [200, ended];
    show();
    await press("Cancel subscription");
    expect(screen.getByText(/It ends at once/)).toBeTruthy();
    decide("confirm");
    await told("Cancelled. Nothing more is charged.");
    expect(screen.getByRole("heading", { name: "Nothing runs" })).toBeTruthy();
  });

  it("of what rests says that it does not go on", async () => {
    has(sample({ paused_until: "2027-01-22T09:00:00Z" }));
    show();
    await press("Cancel subscription");
    expect(screen.getByText("It does not go on after the break, and nothing more is charged.")).toBeTruthy();
  });

  it("waits for a provider that has not answered, and keeps asking", async () => {
    gateway.replies[wishCall("cancel")] = [200, sample({ pending_change: "cancel" })];
    has(sample());
    show();
    await press("Cancel subscription");
    has(sample({ pending_change: "cancel" }));
    decide("confirm");
    await told(
      "Your wish is written down. The payment provider has not answered yet; this page shows the answer as soon as it is here.",
    );
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBe("true");
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    await screen.findByText("Cancelled. You keep everything until December 10, 2026.", {}, { timeout: 3_000 });
  });
});

describe("double clicks", () => {
  it("wish once", async () => {
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    gateway.replies[wishCall("keep")] = [200, sample()];
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
    await told("Good to have you. Your subscription goes on.");
    expect(sentTo(wishCall("keep"))).toHaveLength(1);
  });
});

describe("a connection that breaks", () => {
  const cancel = async () => {
    await press("Cancel subscription");
    gateway.replies[wishCall("cancel")] = "lost";
    decide("confirm");
  };

  it("is asked about: what the server says counts", async () => {
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    await cancel();
    await told("Cancelled. You keep everything until December 10, 2026.");
    expect(sentTo(wishCall("cancel"))).toHaveLength(1);
  });

  it("that took the wish with it leaves everything as it was", async () => {
    show();
    await cancel();
    await told("We do not see your change. This is how your subscription stands now; try again if you like.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBeNull();
  });

  it("and stays broken says that nobody knows, and lets nobody wish", async () => {
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    gateway.replies[LIST] = "lost";
    await cancel();
    await told("The connection was lost. Whether your change arrived is not known yet.");
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
    ["UNKNOWN_SUBSCRIPTION", "We cannot find this subscription any more."],
    ["resource_missing", "Something went wrong on our side. Please try again."],
  ])("by %s is said in words, and how it stands is asked again", async (code, text) => {
    gateway.replies[wishCall("cancel")] = [422, { code }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    expect(await told(text)).toBe("alert");
    await waitFor(() => expect(sentTo(LIST)).toHaveLength(2));
  });

  it("for what is not begun says so", async () => {
    gateway.replies[wishCall("cancel")] = [422, { code: "SUBSCRIPTION_NOT_ACTIVE" }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    await told("This subscription has not begun yet, or it is managed where you bought it, for example at PayPal.");
  });

  it("for haste asks to wait", async () => {
    gateway.replies[wishCall("cancel")] = [429, { code: "RATE_LIMITED" }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    await told("Too many attempts. Please wait a minute and try again.");
  });
});

describe("a pause", () => {
  it("is of one, two or three months, and says what it means", async () => {
    const until = "2027-01-22T09:00:00.000Z";
    gateway.replies[wishCall("pause")] = [200, sample({ paused_until: until })];
    show();
    await press("Take a break");
    const dialog = screen.getByRole<HTMLDialogElement>("dialog", { name: "Take a break" });
    expect(within(dialog).getAllByRole("radio")).toHaveLength(3);
    expect(within(dialog).getByText(/stays open until December 10, 2026/)).toBeTruthy();
    fireEvent.click(within(dialog).getByRole("radio", { name: /2 months/ }));
    act(() => dialog.close("confirm"));
    await screen.findByText("Paused");
    expect(sentTo(wishCall("pause"))).toEqual([{ until }]);
    expect(named("Go on now")).toBeTruthy();
  });

  it("is not offered where it would spare no payment", async () => {
    has(sample({ current_period_end: "2027-11-10T12:00:00Z" }));
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    expect(screen.queryByRole("button", { name: "Take a break" })).toBeNull();
  });

  it("is not begun by whoever thinks again", async () => {
    show();
    await press("Take a break");
    act(() => screen.getByRole<HTMLDialogElement>("dialog").close("cancel"));
    expect(gateway.calls.map(({ call }) => call)).toEqual([LIST, PURCHASES]);
  });

  it("ends when one wants", async () => {
    has(sample({ paused_until: "2027-01-22T00:00:00Z" }));
    gateway.replies[wishCall("resume")] = [200, sample()];
    show();
    await press("Go on now");
    await told("Your subscription runs again.");
  });
});

describe("a new card", () => {
  const open = async () => {
    await press("Use another card");
    await screen.findByRole("button", { name: "Save this card" });
  };

  it("goes to the provider, and only its id comes to us", async () => {
    gateway.replies[wishCall("card")] = [200, sample({ card_brand: "mastercard", card_last4: "4444" })];
    show();
    expect(stripe.load).not.toHaveBeenCalled();
    await open();
    await press("Save this card");
    await told("Your new card is saved.");
    expect(stripe.createPaymentMethod).toHaveBeenCalledWith({
      type: "card",
      card: { is: "the card" },
      billing_details: { name: "Ada", email: "ada@example.org" },
    });
    expect(sentTo(wishCall("card"))).toEqual([{ payment_method_id: "pm_new" }]);
    expect(screen.getByText("Mastercard, ending in 4444")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Save this card" })).toBeNull();
  });

  it("is not sent where the provider finds a fault in it", async () => {
    stripe.createPaymentMethod.mockResolvedValue({
      error: { type: "validation_error", message: "The number is incomplete." },
    });
    show();
    await open();
    await press("Save this card");
    expect((await screen.findByRole("alert")).textContent).toBe("The number is incomplete.");
    expect(sentTo(wishCall("card"))).toEqual([]);
  });

  it.each([409, 422])("that the bank declines (%i) leaves the form open for another one", async (status) => {
    gateway.replies[wishCall("card")] = [status, { code: "card_declined" }];
    show();
    await open();
    await press("Save this card");
    await told("Your bank did not accept this card. Try another one, or ask your bank.");
    expect(screen.getByText("Visa, ending in 4242")).toBeTruthy();
    expect(named("Save this card")).toBeTruthy();
  });

  it("says what it is charged for at once", async () => {
    has(sample({ status: "past_due", overdue }));
    gateway.replies[wishCall("card")] = [200, sample({ card_last4: "4444" })];
    show();
    await open();
    expect(screen.getByText("$9.99 could not be charged before. It is charged to this card at once.")).toBeTruthy();
    await press("Save this card");
    await told("Your new card is saved.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
  });

  it("is the first thing offered beside what could not be charged, and nowhere else", async () => {
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

  it("can be tried again where the provider's script did not come", async () => {
    stripe.load.mockRejectedValueOnce(new Error("blocked"));
    show();
    await press("Use another card");
    expect((await screen.findByRole("alert")).textContent).toContain("The secure card form did not load.");
    await press("Try again");
    await screen.findByRole("button", { name: "Save this card" });
  });

  it("is not needed by whoever thinks again: the focus is back where it was", async () => {
    show();
    await open();
    expect(document.activeElement?.textContent).toBe("New card");
    await press("Not now");
    await waitFor(() => expect(document.activeElement).toBe(named("Use another card")));
  });
});
