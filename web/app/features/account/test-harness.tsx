/** Renders a form in jsdom with a stubbed gateway. */
import { fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { localeOf } from "~/lib/locale";

export const user = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.com",
  isCoachingUser: false,
  isTherapyUser: false,
};

export function renderForm(element: ReactNode, url: string) {
  const locale = localeOf(url);
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [url] });
  const page = render(
    <TextsProvider locale={locale} catalogue={catalogues[locale]}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return { ...page, router };
}

/** Stubs every call with the same response and records the requests. */
export function stubFetch(answer: () => Response | Promise<Response>) {
  const fetched = vi.fn(async (_path: string, _request?: RequestInit) => answer());
  vi.stubGlobal("fetch", fetched);
  return {
    bodies: (path: string) => calls(fetched, path).map(([, request]) => JSON.parse(String(request?.body))),
    keys: (path: string) =>
      calls(fetched, path).map(([, request]) => new Headers(request?.headers).get("idempotency-key")),
    paths: () => fetched.mock.calls.map(([path]) => path),
  };
}

function calls(fetched: { mock: { calls: [string, RequestInit?][] } }, path: string) {
  return fetched.mock.calls.filter(([called]) => called.split("?")[0] === path);
}

export const refusal = (status: number, problem: object, headers: Record<string, string> = {}) => {
  return () => Response.json({ detail: "No.", errors: [], ...problem }, { status, headers });
};

export const box = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
export const fill = (label: string, value: string) => fireEvent.change(box(label), { target: { value } });
export const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
export const isDisabled = (name: string) =>
  screen.getByRole("button", { name }).getAttribute("aria-disabled") === "true";
export const events = () => (window.dataLayer ?? []).map(({ event }) => event);
