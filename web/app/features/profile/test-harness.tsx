/** Renders the profile page in jsdom, with a stubbed gateway. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import { StepUp } from "~/features/step-up/step-up";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { setSession } from "~/lib/session/session";
import { ada, devices, props } from "./profile-fixture";
import { ProfilePage } from "./profile-page";

type Reply = [status: number, body: object | null];

interface Gateway {
  replies: Record<string, Reply>;
  calls: { call: string; body: unknown }[];
}

export const gateway: Gateway = { replies: {}, calls: [] };
export const sentTo = (call: string) => gateway.calls.filter((sent) => sent.call === call).map(({ body }) => body);

export function show(change: Partial<typeof props> | { successPath: string } = {}, url = "/en/profile/") {
  const element = (
    <>
      <StepUp />
      <ProfilePage {...props} {...change}>
        {null}
      </ProfilePage>
    </>
  );
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [url] });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return router;
}

export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
export const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
export const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
export const alertText = async () => (await screen.findByRole("alert")).textContent;

beforeEach(() => {
  gateway.calls = [];
  gateway.replies = {
    "GET /api/auth/session": [200, { logged_in: true, user: ada }],
    "GET /api/profile": [200, { user_id: "usr_1", fullname: "Ada Yılmaz", email: "ada@example.org" }],
    "GET /api/auth/devices": [200, { devices }],
    "GET /api/account/second-factor": [200, { enabled: false, required: false, recovery_codes_left: 0 }],
  };
  vi.stubGlobal("fetch", async (path: string, { method, body }: { method: string; body?: string }) => {
    const call = `${method} ${path}`;
    gateway.calls.push({ call, body: body && JSON.parse(body) });
    const [status, answer] = gateway.replies[call] ?? [404, {}];
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
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
