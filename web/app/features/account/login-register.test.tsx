// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { setSession } from "~/lib/session";
import { LoginRegister, type LoginRegisterProps } from "./login-register";
import type { Mode } from "./validate";

const props: LoginRegisterProps = {
  initial: "signUp",
  confirmEmail: false,
  disabled: false,
  signUpLabel: null,
  signInLabel: null,
  termsHtml: null,
};

const user = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.com",
  isCoachingUser: false,
  isTherapyUser: false,
};

function show(initial: Mode = "signUp", url = "/en/signup/?redirectPage=/en/payment/annual/") {
  const router = createMemoryRouter([{ path: "*", element: <LoginRegister {...props} initial={initial} /> }], {
    initialEntries: [url],
  });
  render(
    <TextsProvider locale={"en"} catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return router;
}

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

function answering(response: Response) {
  const fetched = vi.fn(async () => response);
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

describe("the account page", () => {
  beforeEach(() => setSession({ state: "visitor" }));
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it("ties each fault to its field and sends nothing", async () => {
    const fetched = answering(Response.json({}));
    show();
    press("Create account");
    const email = screen.getByLabelText("E-mail");
    expect(email.getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(email.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "Please fill this in.",
    );
    expect(screen.getByRole("alert").textContent).toContain("Name, E-mail, Password");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
    expect(fetched).not.toHaveBeenCalledWith("/api/auth/register", expect.anything());
  });

  it("signs up and goes back to the payment page", async () => {
    const fetched = answering(Response.json({ user }, { status: 201 }));
    const router = show();
    fill("Name", " Ada ");
    fill("E-mail", "ada@example.com");
    fill("Password", "secret123");
    press("Create account");
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/payment/annual/"));
    const [, request] = fetched.mock.calls.find(([path]: unknown[]) => path === "/api/auth/register") as unknown as [
      string,
      RequestInit,
    ];
    expect(JSON.parse(String(request.body))).toMatchObject({
      name: "Ada",
      email: "ada@example.com",
      password: "secret123",
      lang: "en",
    });
  });

  it("offers to sign in where the address has an account, keeping the way back", async () => {
    answering(Response.json({ code: "R100", detail: "Exists.", errors: [] }, { status: 409 }));
    show();
    fill("Name", "Ada");
    fill("E-mail", "ada@example.com");
    fill("Password", "secret123");
    press("Create account");
    const link = await screen.findByRole("link", { name: "Sign in instead" });
    expect(link.getAttribute("href")).toBe("/en/signin/?redirectPage=/en/payment/annual/");
  });

  it("says the same of a wrong password and an unknown address", async () => {
    answering(Response.json({ code: "INVALID_CREDENTIALS", detail: "No." }, { status: 401 }));
    show("signIn", "/en/signin/");
    fill("E-mail", "ada@example.com");
    fill("Password", "secret123");
    press("Sign in");
    expect((await screen.findByRole("alert")).textContent).toContain("E-mail or password is not right.");
  });

  it("switches tabs with the keyboard", () => {
    show("signIn", "/en/signin/");
    expect(screen.queryByLabelText("Name")).toBeNull();
    fireEvent.keyDown(screen.getByRole("tab", { name: "Sign in" }), { key: "ArrowLeft" });
    expect(screen.getByRole("tab", { name: "Sign up" }).getAttribute("aria-selected")).toBe("true");
    expect(screen.getByLabelText("Name")).toBeTruthy();
  });

  it("asks Russian visitors for both consents", () => {
    answering(Response.json({}));
    const router = createMemoryRouter([{ path: "*", element: <LoginRegister {...props} /> }], {
      initialEntries: ["/ru/signup/"],
    });
    render(
      <TextsProvider locale={"ru"} catalogue={catalogues.ru}>
        <RouterProvider router={router} />
      </TextsProvider>,
    );
    const submit = screen.getByRole("button", { name: "Создать аккаунт" });
    expect(submit.getAttribute("aria-disabled")).toBe("true");
    for (const box of screen.getAllByRole("checkbox")) fireEvent.click(box);
    expect(submit.getAttribute("aria-disabled")).toBeNull();
  });

  it("only asks a member to go on", () => {
    setSession({ state: "member", user });
    show();
    expect(screen.getByRole("link", { name: "Continue" }).getAttribute("href")).toBe("/en/payment/annual/");
    expect(screen.queryByLabelText("Password")).toBeNull();
  });
});
