// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, postJson } from "~/lib/http/request";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { currentUser, setSession } from "~/lib/session/session";
import { withStepUp } from "~/lib/session/step-up";
import { StepUp } from "./step-up";

const user = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.org",
  isCoachingUser: false,
  isTherapyUser: false,
};

type Reply = () => Response;

const CALL = "/api/anything";
const PROOF = "/api/account/step-up";
const CODE = "Code from your app, or a recovery code";
const refusal = (status: number, body: object, headers: Record<string, string> = {}) => {
  return () => Response.json({ detail: "No.", errors: [], ...body }, { status, headers });
};
const done = () => new Response(null, { status: 204 });
const asking = (...methods: string[]) => refusal(403, { code: "STEP_UP_REQUIRED", methods });

/** Each path gives its replies in order; the last one stays. */
function stubGateway(replies: Record<string, Reply[]>) {
  const bodies: Record<string, unknown[]> = {};
  vi.stubGlobal("fetch", async (path: string, { body }: { body?: string }) => {
    bodies[path] = [...(bodies[path] ?? []), body && JSON.parse(body)];
    const queue = replies[path] ?? [];
    const reply = queue.length > 1 ? queue.shift() : queue[0];
    return reply ? reply() : new Response(null, { status: 404 });
  });
  return (path: string) => bodies[path] ?? [];
}

/** A page with one button, whose call needs a recent authentication. */
function show() {
  const answers: Answer<unknown>[] = [];
  const act = async () => void answers.push(await withStepUp(() => postJson(CALL, { body: { a: 1 } })));
  const element = (
    <>
      <StepUp />
      <button type="button" onClick={() => void act()}>
        Act
      </button>
    </>
  );
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: ["/en/profile/"] });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  press("Act");
  return answers;
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const findDialog = () => screen.findByRole<HTMLDialogElement>("dialog", { name: "Confirm that it is you" });

async function confirm(password = "calm-1") {
  await findDialog();
  fill("Your password", password);
  press("Confirm");
}

beforeEach(() => {
  setSession({ state: "member", user });
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement, returnValue = "") {
      this.returnValue = returnValue;
      this.open = false;
      this.dispatchEvent(new Event("close"));
    },
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("a call that needs a recent authentication", () => {
  it("shows no dialog while the server accepts it", async () => {
    stubGateway({ [CALL]: [done] });
    const answers = show();
    await waitFor(() => expect(answers).toMatchObject([{ ok: true }]));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("asks for the password in a labelled dialog, and is repeated once", async () => {
    const sentTo = stubGateway({ [CALL]: [asking("password"), done], [PROOF]: [done] });
    const answers = show();
    const dialog = await findDialog();
    expect(document.getElementById(dialog.getAttribute("aria-describedby") ?? "")?.textContent).toContain(
      "Enter your password",
    );
    expect(field("Your password").autocomplete).toBe("current-password");
    expect(screen.queryByLabelText(CODE)).toBeNull();
    await confirm();
    await waitFor(() => expect(answers).toMatchObject([{ ok: true }]));
    expect(sentTo(PROOF)).toEqual([{ password: "calm-1" }]);
    expect(sentTo(CALL)).toEqual([{ a: 1 }, { a: 1 }]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is repeated only once", async () => {
    const sentTo = stubGateway({ [CALL]: [asking("password")], [PROOF]: [done] });
    const answers = show();
    await confirm();
    await waitFor(() => expect(answers).toMatchObject([{ ok: false, problem: { code: "STEP_UP_REQUIRED" } }]));
    expect(sentTo(CALL)).toHaveLength(2);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("asks for the code as well, with digits of any keyboard", async () => {
    const sentTo = stubGateway({ [CALL]: [asking("password", "code"), done], [PROOF]: [done] });
    const answers = show();
    await findDialog();
    expect(field(CODE).autocomplete).toBe("one-time-code");
    // Recovery codes have letters.
    expect(field(CODE).getAttribute("inputmode")).toBe("text");
    press("Confirm");
    expect(screen.getAllByText("Please fill this in.")).toHaveLength(2);
    fill(CODE, "١٢٣ 456");
    await confirm();
    await waitFor(() => expect(answers).toMatchObject([{ ok: true }]));
    expect(sentTo(PROOF)).toEqual([{ password: "calm-1", code: "123456" }]);
  });

  it("asks members without a password to sign in again", async () => {
    stubGateway({ [CALL]: [asking("sign_in")] });
    show();
    await findDialog();
    expect(screen.queryByLabelText("Your password")).toBeNull();
    expect(screen.getByRole("button", { name: "Sign in again" })).toBeTruthy();
  });
});

describe("the dialog", () => {
  it.each(["WRONG_PASSWORD", "INVALID_CREDENTIALS"])("stays at a wrong password (%s)", async (code) => {
    const wrong = refusal(403, { code });
    stubGateway({ [CALL]: [asking("password"), done], [PROOF]: [wrong, done] });
    const answers = show();
    await confirm("guess");
    await screen.findByText("This password is not right.");
    expect(field("Your password").getAttribute("aria-invalid")).toBe("true");
    await waitFor(() => expect(document.activeElement).toBe(field("Your password")));
    await confirm();
    await waitFor(() => expect(answers).toMatchObject([{ ok: true }]));
  });

  it("shows a wrong code at its field", async () => {
    const errors = [{ field: "code", code: "SECOND_FACTOR_WRONG", message: "…" }];
    stubGateway({
      [CALL]: [asking("password", "code")],
      [PROOF]: [refusal(422, { code: "VALIDATION_FAILED", errors })],
    });
    show();
    await findDialog();
    fill(CODE, "000000");
    await confirm();
    await screen.findByText("This code is not right. Wait for the next one and try again.");
    expect(field(CODE).getAttribute("aria-invalid")).toBe("true");
  });

  it("shows the wait after too many attempts", async () => {
    const tooMany = refusal(429, { code: "TOO_MANY_ATTEMPTS" }, { "retry-after": "600" });
    stubGateway({ [CALL]: [asking("password")], [PROOF]: [tooMany] });
    show();
    await confirm();
    expect((await screen.findByRole("alert")).textContent).toBe("Too many attempts. Please try again in 10 minutes.");
  });

  it("can be cancelled, and the refusal is the result", async () => {
    const sentTo = stubGateway({ [CALL]: [asking("password")] });
    const answers = show();
    await findDialog();
    press("Cancel");
    await waitFor(() => expect(answers).toMatchObject([{ ok: false, problem: { code: "STEP_UP_REQUIRED" } }]));
    expect(sentTo(CALL)).toHaveLength(1);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("closes when the session has ended", async () => {
    stubGateway({ [CALL]: [asking("password")], [PROOF]: [refusal(401, { code: "V100" })] });
    const answers = show();
    await confirm();
    await waitFor(() => expect(answers).toMatchObject([{ ok: false }]));
    expect(currentUser()).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("a page without the dialog", () => {
  it("gets the refusal", async () => {
    const sentTo = stubGateway({ [CALL]: [asking("password")] });
    expect(await withStepUp(() => postJson(CALL))).toMatchObject({ ok: false });
    expect(sentTo(CALL)).toHaveLength(1);
  });
});
