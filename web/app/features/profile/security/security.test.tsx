// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StepUp } from "~/features/step-up/step-up";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { currentUser, setSession } from "~/lib/session/session";
import { ada } from "../profile-fixture";
import { Security } from "./security";

type Reply = [status: number, body: object | null];

const PATH = "/api/account/second-factor";
const OFF = { enabled: false, required: false, recovery_codes_left: 0 };
const ON = { enabled: true, required: false, recovery_codes_left: 10 };
const SECRET = "JBSWY3DPEHPK3PXP";
const URI = `otpauth://totp/Stillpoint:ada@example.org?secret=${SECRET}&issuer=Stillpoint`;
const CODES = Array.from({ length: 10 }, (_, index) => `abcd-efgh-${index}`);

let replies: Record<string, Reply>;
let calls: { call: string; body: unknown }[];
const sentTo = (call: string) => calls.filter((sent) => sent.call === call).map(({ body }) => body);
const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });

function show(settings: typeof OFF, reply: Reply = [200, settings]) {
  replies[`GET ${PATH}`] = reply;
  const element = (
    <>
      <StepUp />
      <Security />
    </>
  );
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: ["/en/profile/"] });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

function stubClipboard() {
  const writeText = vi.fn(async (_text: string) => undefined);
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  return writeText;
}

async function enrol() {
  replies[`POST ${PATH}/enrol`] = [200, { secret: SECRET, uri: URI }];
  show(OFF);
  await press("Turn on two-step sign-in");
  await screen.findByRole("heading", { name: "Connect your authenticator app" });
}

beforeEach(() => {
  calls = [];
  replies = {};
  vi.stubGlobal("fetch", async (path: string, { method, body }: { method: string; body?: string }) => {
    const call = `${method} ${path}`;
    calls.push({ call, body: body && JSON.parse(body) });
    const [status, answer] = replies[call] ?? [404, {}];
    return new Response(answer && JSON.stringify(answer), { status });
  });
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
  setSession({ state: "member", user: ada });
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("two-step sign-in", () => {
  it("is off and can be turned on", async () => {
    show(OFF);
    await screen.findByText("Two-step sign-in is off");
    expect(screen.queryByRole("button", { name: "Turn off" })).toBeNull();
  });

  it("is on, with the number of recovery codes", async () => {
    show({ ...ON, recovery_codes_left: 3 });
    await screen.findByText("Two-step sign-in is on");
    expect(screen.getByText("Recovery codes left: 3")).toBeTruthy();
  });

  it("cannot be turned off where the role needs it", async () => {
    show({ ...ON, required: true });
    await screen.findByText("Your role requires two-step sign-in.");
    expect(screen.queryByRole("button", { name: "Turn off" })).toBeNull();
  });

  it("can be loaded again after a failure", async () => {
    show(OFF, [503, { code: "UNAVAILABLE" }]);
    expect((await screen.findByRole("alert")).textContent).toContain("Something went wrong on our side.");
    replies[`GET ${PATH}`] = [200, OFF];
    await press("Try again");
    await screen.findByText("Two-step sign-in is off");
  });

  it("turns the member into a visitor when the session has ended", async () => {
    show(OFF);
    await screen.findByText("Two-step sign-in is off");
    replies[`POST ${PATH}/enrol`] = [401, { code: "V100" }];
    await press("Turn on two-step sign-in");
    await waitFor(() => expect(currentUser()).toBeNull());
  });
});

describe("enrolment", () => {
  it("shows the key as a picture and as text", async () => {
    await enrol();
    expect(document.activeElement?.textContent).toBe("Connect your authenticator app");
    const picture = await screen.findByRole("img", { name: "QR code with the key for your authenticator app" });
    expect(picture.querySelector("path")?.getAttribute("d")).toMatch(/^M/);
    expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeTruthy();
    const writeText = stubClipboard();
    await press("Copy the key");
    await waitFor(() => expect(screen.getByRole("button", { name: "Copied" })).toBeTruthy());
    expect(writeText).toHaveBeenCalledWith(SECRET);
  });

  it("is confirmed by a code, then shows the recovery codes once", async () => {
    await enrol();
    replies[`POST ${PATH}/confirm`] = [200, { recovery_codes: CODES }];
    fill("Code from your app", "123 456");
    await press("Confirm and turn on");
    await screen.findByRole("heading", { name: "Your recovery codes" });
    expect(sentTo(`POST ${PATH}/confirm`)).toEqual([{ code: "123456" }]);
    expect(screen.getByText("Two-step sign-in is now on.").closest("[role=status]")).not.toBeNull();
    expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(CODES);

    replies[`GET ${PATH}`] = [200, ON];
    await press("I have kept the codes");
    const state = await screen.findByText("Two-step sign-in is on");
    expect(screen.queryByText(CODES[0] ?? "")).toBeNull();
    await waitFor(() => expect(document.activeElement?.contains(state)).toBe(true));
  });

  it("stays at a wrong or missing code", async () => {
    await enrol();
    await press("Confirm and turn on");
    await screen.findByText("Please fill this in.");
    const errors = [{ field: "code", code: "SECOND_FACTOR_WRONG", message: "…" }];
    replies[`POST ${PATH}/confirm`] = [422, { code: "VALIDATION_FAILED", errors }];
    fill("Code from your app", "000000");
    await press("Confirm and turn on");
    await screen.findByText("This code is not right. Wait for the next one and try again.");
    expect(document.activeElement).toBe(field("Code from your app"));
  });

  it("can be cancelled", async () => {
    await enrol();
    await press("Cancel");
    await screen.findByText("Two-step sign-in is off");
  });

  it("needs a recent authentication", async () => {
    replies[`POST ${PATH}/enrol`] = [403, { code: "STEP_UP_REQUIRED", methods: ["password"] }];
    replies["POST /api/account/step-up"] = [204, null];
    show(OFF);
    await press("Turn on two-step sign-in");
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
    replies[`POST ${PATH}/enrol`] = [200, { secret: SECRET, uri: URI }];
    fill("Your password", "calm-1");
    fireEvent.click(dialog.getByRole("button", { name: "Confirm" }));
    await screen.findByRole("heading", { name: "Connect your authenticator app" });
  });
});

describe("the recovery codes", () => {
  const renew = async () => {
    replies[`POST ${PATH}/recovery-codes`] = [200, { recovery_codes: CODES }];
    show(ON);
    await press("Get new recovery codes");
    await screen.findByRole("heading", { name: "Your recovery codes" });
  };

  it("can be renewed, copied and printed", async () => {
    await renew();
    const writeText = stubClipboard();
    await press("Copy");
    await waitFor(() => expect(writeText).toHaveBeenCalledWith(`${CODES.join("\n")}\n`));
    const print = vi.fn();
    vi.stubGlobal("print", print);
    await press("Print");
    expect(print).toHaveBeenCalledOnce();
    expect(screen.getByText(CODES[0] ?? "").closest("[data-print]")).not.toBeNull();
  });

  it("can be downloaded", async () => {
    await renew();
    const saved: File[] = [];
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (file: File) => saved.push(file) && "blob:1" }));
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    await press("Download");
    expect(clicked.mock.contexts[0]).toMatchObject({ download: "stillpoint-recovery-codes.txt" });
    expect(await saved[0]?.text()).toBe(`${CODES.join("\n")}\n`);
  });
});

describe("turning it off", () => {
  const decide = (answer: "confirm" | "cancel") =>
    act(() => screen.getByRole<HTMLDialogElement>("alertdialog").close(answer));

  it("asks first", async () => {
    show(ON);
    await press("Turn off");
    decide("cancel");
    expect(sentTo(`DELETE ${PATH}`)).toEqual([]);

    replies[`DELETE ${PATH}`] = [204, null];
    await press("Turn off");
    replies[`GET ${PATH}`] = [200, OFF];
    decide("confirm");
    const notice = await screen.findByText("Two-step sign-in is now off.");
    await waitFor(() => expect(document.activeElement?.contains(notice)).toBe(true));
    await screen.findByText("Two-step sign-in is off");
    expect(sentTo(`DELETE ${PATH}`)).toHaveLength(1);
  });

  it.each([403, 409])("is refused where the role needs it (%i)", async (status) => {
    replies[`DELETE ${PATH}`] = [status, { code: "SECOND_FACTOR_REQUIRED" }];
    show(ON);
    await press("Turn off");
    decide("confirm");
    expect((await screen.findByRole("alert")).textContent).toBe("Your role requires two-step sign-in.");
  });
});
