// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { act } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { setSession } from "~/lib/session/session";
import type { Mode } from "./form/validate";
import { LoginRegister, type LoginRegisterProps, type SocialContext } from "./login-register";
import { box, events, fill, isDisabled, press, refusal, renderForm, stubFetch, user } from "./test-harness";

const props: LoginRegisterProps = {
  initial: "signUp",
  confirmEmail: false,
  blockPaste: false,
  disabled: false,
  signUpLabel: null,
  signInLabel: null,
  termsHtml: null,
};

const REDIRECT_QUERY = "redirectPage=%2Fen%2Fpayment%2Fannual%2F";

const show = (
  initial: Mode = "signUp",
  url = `/en/signup/?${REDIRECT_QUERY}`,
  more: Partial<LoginRegisterProps> = {},
) => renderForm(<LoginRegister {...props} initial={initial} {...more} />, url).router;

const showSignIn = (more: Partial<LoginRegisterProps> = {}) => show("signIn", "/en/signin/", more);

function signUp() {
  fill("Name", " Ada ");
  fill("E-mail", "ada@example.com");
  fill("Password", "secret123");
  press("Create account");
}

function signIn() {
  fill("E-mail", "ada@example.com");
  fill("Password", "secret123");
  press("Sign in");
}

const welcome = (redirectPage: string | null, status = 200) => {
  return () => Response.json({ user, redirectPage }, { status });
};

const alertText = async () => (await screen.findByRole("alert")).textContent;

beforeEach(() => {
  setSession({ state: "visitor" });
  window.dataLayer = [];
});

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("the fields", () => {
  it("link each fault to its field and send nothing", async () => {
    const gateway = stubFetch(() => Response.json({}));
    show();
    press("Create account");
    const email = box("E-mail");
    expect(email.getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(email.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "Please fill this in.",
    );
    expect(await alertText()).toContain("Name, E-mail, Password");
    await waitFor(() => expect(document.activeElement).toBe(box("Name")));
    expect(gateway.bodies("/api/auth/register")).toEqual([]);
  });

  it("show a fault only after the field was left, and hide it when it is fixed", () => {
    showSignIn();
    const email = box("E-mail");
    fill("E-mail", "ada@");
    expect(email.getAttribute("aria-invalid")).toBeNull();
    fireEvent.blur(email);
    expect(screen.getByText("Please enter a valid e-mail address.")).toBeTruthy();
    fill("E-mail", "ada@example.com");
    expect(email.getAttribute("aria-invalid")).toBeNull();
  });

  it("have autocomplete and keyboard hints", () => {
    show("signUp", "/en/signup/", { confirmEmail: true });
    const hints = ["Name", "E-mail", "Repeat e-mail", "Password"].map((label) => {
      const input = box(label);
      const hinted = ["autocomplete", "inputmode", "enterkeyhint"].map((name) => input.getAttribute(name));
      return [input.name, input.type, ...hinted];
    });
    expect(hints).toEqual([
      ["name", "text", "name", null, "next"],
      ["email", "email", "email", "email", "next"],
      ["emailConfirmation", "email", "email", "email", "next"],
      ["password", "password", "new-password", null, "go"],
    ]);
    fireEvent.click(screen.getByRole("tab", { name: "Sign in" }));
    expect(box("Password").autocomplete).toBe("current-password");
  });

  it("can show the password", () => {
    showSignIn();
    const eye = screen.getByRole("button", { name: "Show password" });
    fireEvent.click(eye);
    expect([box("Password").type, eye.getAttribute("aria-pressed")]).toEqual(["text", "true"]);
    fireEvent.click(eye);
    expect(box("Password").type).toBe("password");
  });

  it("can be cleared, and take the focus back", () => {
    showSignIn();
    expect(screen.queryByRole("button", { name: "Clear: E-mail" })).toBeNull();
    fill("E-mail", "ada@example.com");
    press("Clear: E-mail");
    expect([box("E-mail").value, document.activeElement]).toEqual(["", box("E-mail")]);
  });

  it("allow pasting the repeated address unless content forbids it", () => {
    const isPasted = () => fireEvent.paste(box("Repeat e-mail")) && fireEvent.copy(box("Repeat e-mail"));
    show("signUp", "/en/signup/", { confirmEmail: true });
    expect(isPasted()).toBe(true);
    cleanup();
    show("signUp", "/en/signup/", { confirmEmail: true, blockPaste: true });
    expect(isPasted()).toBe(false);
    expect(fireEvent.paste(box("Password"))).toBe(true);
  });

  it("require both addresses to be equal where content asks for two", async () => {
    show("signUp", "/en/signup/", { confirmEmail: true });
    fill("Repeat e-mail", "bob@example.com");
    signUp();
    expect(screen.getByText("The two e-mail addresses must be identical.")).toBeTruthy();
  });

  it("are disabled when content disables the form", () => {
    const gateway = stubFetch(() => Response.json({}));
    show("signIn", "/en/signin/", { disabled: true });
    signIn();
    expect(isDisabled("Sign in")).toBe(true);
    expect(gateway.bodies("/api/auth/login")).toEqual([]);
  });

  it("ask for both consents on Russian pages only", () => {
    show("signUp", "/ru/signup/");
    expect(isDisabled("Создать аккаунт")).toBe(true);
    const button = screen.getByRole("button", { name: "Создать аккаунт" });
    const why = screen.getByText("Чтобы продолжить, отметьте оба пункта.");
    expect(button.getAttribute("aria-describedby")).toBe(why.id);
    const [terms, renewal] = screen.getAllByRole("checkbox");
    fireEvent.click(terms as Element);
    expect(isDisabled("Создать аккаунт")).toBe(true);
    fireEvent.click(renewal as Element);
    expect(isDisabled("Создать аккаунт")).toBe(false);
    expect(button.hasAttribute("aria-describedby")).toBe(false);
    cleanup();
    show();
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
  });
});

describe("the social buttons of sign-up", () => {
  const social = ({ mode, blockedBy }: SocialContext) => (
    <p data-testid="ways">{`${mode} ${blockedBy ? "held" : "open"}`}</p>
  );
  const ways = () => screen.getByTestId("ways").textContent;

  it("are disabled until both Russian consents are ticked, and name the missing boxes", () => {
    show("signUp", "/ru/signup/", { social });
    const [terms, renewal] = screen.getAllByRole("checkbox");
    expect(ways()).toBe("signUp held");
    expect(screen.getAllByText("Чтобы продолжить, отметьте оба пункта.")).toHaveLength(2);
    fireEvent.click(terms as Element);
    expect(ways()).toBe("signUp held");
    fireEvent.click(renewal as Element);
    expect(ways()).toBe("signUp open");
  });

  it("are enabled for sign-in and in every other language", () => {
    show("signIn", "/ru/signin/", { social });
    expect(ways()).toBe("signIn open");
    cleanup();
    show("signUp", "/tr/signup/", { social });
    expect(ways()).toBe("signUp open");
  });
});

describe("the tabs", () => {
  it("switch with the keyboard and keep the typed values", () => {
    showSignIn();
    fill("E-mail", "ada@example.com");
    expect(screen.queryByLabelText("Name")).toBeNull();
    fireEvent.keyDown(screen.getByRole("tab", { name: "Sign in" }), { key: "ArrowLeft" });
    expect(screen.getByRole("tab", { name: "Sign up" }).getAttribute("aria-selected")).toBe("true");
    expect(screen.getByLabelText("Name")).toBeTruthy();
    expect(box("E-mail").value).toBe("ada@example.com");
  });

  it("link to the forgotten password from the sign-in tab only", () => {
    showSignIn();
    const link = () => screen.queryByRole("link", { name: "Forgot your password?" });
    expect(link()?.getAttribute("href")).toBe("/en/forgot-password/");
    fireEvent.click(screen.getByRole("tab", { name: "Sign up" }));
    expect(link()).toBeNull();
  });

  it("show the social buttons of their mode", () => {
    showSignIn({ social: ({ mode }) => <p>by {mode}</p> });
    expect(screen.getByText("by signIn")).toBeTruthy();
    fireEvent.click(screen.getByRole("tab", { name: "Sign up" }));
    expect(screen.getByText("by signUp")).toBeTruthy();
  });
});

describe("signing up", () => {
  it("navigates to the allowed page after its events", async () => {
    const gateway = stubFetch(welcome("/en/payment/annual/", 201));
    const router = show("signUp", `/en/signup/?${REDIRECT_QUERY}&orderId=ord_9`);
    signUp();
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/payment/annual/"));
    expect(router.state.location.search).toBe("?orderId=ord_9");
    expect(events()).toEqual(["signup", "sign-up-done"]);
    expect(localStorage.getItem("mdOrderId")).toBe("ord_9");
    expect(gateway.paths()).toContain(`/api/auth/register?${REDIRECT_QUERY}`);
    expect(gateway.bodies("/api/auth/register")).toEqual([
      { name: "Ada", email: "ada@example.com", password: "secret123", lang: "en", country: "", orderid: "ord_9" },
    ]);
  });

  it("reports a lost order", async () => {
    stubFetch(welcome(null, 201));
    const router = show("signUp", "/en/signup/");
    signUp();
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/success-page/"));
    expect(events()).toEqual(["signup", "sign-up-error"]);
  });

  it("offers to sign in when the address has an account, and keeps the way back", async () => {
    stubFetch(refusal(409, { code: "R100", errors: [{ field: "email", code: "TAKEN" }] }));
    show("signUp", `/en/signup/?${REDIRECT_QUERY}&a=%22%3E`);
    signUp();
    const link = await screen.findByRole("link", { name: "Sign in instead" });
    expect(link.getAttribute("href")).toBe(`/en/signin/?${REDIRECT_QUERY}&a=%22%3E`);
    expect(box("E-mail").getAttribute("aria-invalid")).toBe("true");
  });

  it("refuses a password that is known from breaches", async () => {
    const errors = [{ field: "password", code: "PASSWORD_BREACHED" }];
    stubFetch(refusal(422, { code: "VALIDATION_FAILED", errors }));
    show();
    signUp();
    expect(await alertText()).toBe("This password is known from data leaks. Choose another one.");
    expect(box("Password").getAttribute("aria-invalid")).toBe("true");
  });

  it("shows the server's first message, and each fault at its field", async () => {
    const errors = [
      { field: "password", code: "TOO_COMMON" },
      { field: "email", code: "INVALID" },
    ];
    stubFetch(refusal(422, { code: "VALIDATION_FAILED", errors }));
    show();
    signUp();
    expect(await alertText()).toBe("Too many people use this password. Choose another one.");
    expect(box("Password").getAttribute("aria-invalid")).toBe("true");
    expect(box("E-mail").getAttribute("aria-invalid")).toBe("true");
    await waitFor(() => expect(document.activeElement).toBe(box("E-mail")));
  });

  it("resends the same attempt when the answer was lost, and a new one after a change", async () => {
    const gateway = stubFetch(() => Promise.reject(new Error("offline")));
    show();
    signUp();
    expect(await alertText()).toContain("We could not reach our server.");
    expect(isDisabled("Create account")).toBe(false);
    press("Create account");
    await waitFor(() => expect(gateway.keys("/api/auth/register")).toHaveLength(2));
    await waitFor(() => expect(isDisabled("Create account")).toBe(false));
    fill("Name", "Grace");
    press("Create account");
    await waitFor(() => expect(gateway.keys("/api/auth/register")).toHaveLength(3));
    const [first, second, third] = gateway.keys("/api/auth/register");
    expect(first).toBeTruthy();
    expect([second === first, third === first]).toEqual([true, false]);
  });
});

describe("signing in", () => {
  it("returns to the payment page it came from, after its event", async () => {
    sessionStorage.setItem("paymentPage", "/en/payment/monthly/?survey=true");
    const gateway = stubFetch(welcome(null));
    const router = showSignIn();
    signIn();
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/payment/monthly/"));
    expect(events()).toEqual(["signin"]);
    expect(sessionStorage.getItem("paymentPage")).toBeNull();
    expect(gateway.bodies("/api/auth/login")).toEqual([{ email: "ada@example.com", password: "secret123" }]);
  });

  it("keeps the form, disabled, until the next page is shown", async () => {
    let answer: (response: Response) => void = () => undefined;
    stubFetch(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    showSignIn();
    signIn();
    const button = screen.getByRole("button", { name: "Sign in" });
    expect(button.getAttribute("aria-busy")).toBe("true");
    await act(async () => answer(welcome(null)()));
    expect(screen.queryByText("You are signed in as")).toBeNull();
  });

  it("shows the same message for a wrong password and an unknown address", async () => {
    stubFetch(refusal(401, { code: "INVALID_CREDENTIALS" }));
    showSignIn();
    signIn();
    expect(await alertText()).toContain("E-mail or password is not right.");
    press("Close");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows the wait after too many attempts", async () => {
    stubFetch(refusal(429, { code: "TOO_MANY_ATTEMPTS" }, { "retry-after": "600" }));
    showSignIn();
    signIn();
    expect(await alertText()).toBe("Too many attempts. Please try again in 10 minutes.");
  });
});

describe("a signed-in member", () => {
  it("gets a button to the allowed page", async () => {
    setSession({ state: "member", user });
    stubFetch(() => Response.json({ to: "/en/payment/annual/" }));
    show();
    const link = await screen.findByRole("link", { name: "Continue" });
    expect(link.getAttribute("href")).toBe("/en/payment/annual/");
    expect(screen.queryByLabelText("Password")).toBeNull();
  });
});

describe("before hydration", () => {
  const app = (url: string) => (
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider
        router={createMemoryRouter([{ path: "*", element: <LoginRegister {...props} /> }], { initialEntries: [url] })}
      />
    </TextsProvider>
  );

  function served(url: string) {
    document.body.innerHTML = renderToString(app(url));
    return document.body.querySelector("form") as HTMLFormElement;
  }

  it("the browser validates and posts the form", () => {
    const form = served("/en/signup/");
    expect([form.method, form.getAttribute("action"), form.noValidate]).toEqual(["post", "/api/auth/register", false]);
    expect([...new FormData(form).keys()]).toEqual(["lang", "name", "email", "password"]);
    expect(form.checkValidity()).toBe(false);
    expect(document.body.querySelector("noscript")?.innerHTML).toContain('href="/en/signin/"');
  });

  it("messages are in the page under the codes of the redirect", () => {
    served("/en/signup/?error=R100");
    const codes = ["R100", "PASSWORD_TOO_COMMON", "PASSWORD_BREACHED", "TOO_MANY_ATTEMPTS", "FAILED"];
    const notices = codes.map((code) => document.getElementById(code));
    expect(notices.every((notice) => notice?.className.includes("target:block"))).toBe(true);
    expect(notices[0]?.querySelector("a")?.getAttribute("href")).toBe("/en/signin/");
  });

  it("typed values are kept, and a returned code is shown", async () => {
    const form = served("/en/signup/?error=PASSWORD_TOO_COMMON");
    const email = form.elements.namedItem("email") as HTMLInputElement;
    email.value = "early@example.com";
    const root = await act(async () => hydrateRoot(document.body, app("/en/signup/?error=PASSWORD_TOO_COMMON")));
    expect(box("E-mail").value).toBe("early@example.com");
    expect(box("E-mail")).toBe(email);
    fill("Name", "Ada");
    expect(box("E-mail").value).toBe("early@example.com");
    expect(await alertText()).toContain("Too many people use this password.");
    expect(box("Password").getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById("R100")).toBeNull();
    await act(async () => root.unmount());
  });
});
