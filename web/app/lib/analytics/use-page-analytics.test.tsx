// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const SCRIPT = "https://stats.example/tr.js";
const scripts = () => document.querySelectorAll(`script[src='${SCRIPT}']`);

let usePageAnalytics: typeof import("./use-page-analytics").usePageAnalytics;

function Page() {
  const { pathname } = useLocation();
  usePageAnalytics({ pageType: "page", urlPath: pathname, analyticsScriptUrl: SCRIPT });
  return <h1>{pathname}</h1>;
}

/** The state is in modules, so each test loads its own. */
async function open(path: string) {
  vi.resetModules();
  usePageAnalytics = (await import("./use-page-analytics")).usePageAnalytics;
  const consent = await import("./consent");
  history.replaceState(null, "", path);
  const router = createMemoryRouter([{ path: "*", element: <Page /> }], { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  return { router, ...consent };
}

const here = window.location;

describe("a third-party script", () => {
  const assign = vi.fn();
  const reload = vi.fn();

  beforeEach(() => {
    localStorage.setItem("country", "TR");
    vi.stubGlobal("fetch", async () => Response.json({ logged_in: false, user: null }));
    const get = (mocks: Record<string, unknown>, name: string) => mocks[name] ?? Reflect.get(here, name);
    vi.stubGlobal("location", new Proxy({ assign, reload }, { get }));
  });

  afterEach(() => {
    cleanup();
    for (const script of scripts()) script.remove();
    vi.unstubAllGlobals();
    vi.clearAllMocks();
    localStorage.clear();
  });

  it("waits for consent", async () => {
    const { choose } = await open("/tr/");
    expect(scripts()).toHaveLength(0);
    choose("accepted");
    await waitFor(() => expect(scripts()).toHaveLength(1));
  });

  it("is not loaded after a refusal", async () => {
    const { choose } = await open("/tr/");
    choose("declined");
    await screen.findByRole("heading");
    expect(scripts()).toHaveLength(0);
    expect(reload).not.toHaveBeenCalled();
  });

  it("is not loaded on survey pages", async () => {
    localStorage.setItem("consent", `accepted ${Date.now()}`);
    await open("/tr/survey/start/");
    await screen.findByRole("heading");
    expect(scripts()).toHaveLength(0);
  });

  it("cannot observe a navigation to the survey", async () => {
    localStorage.setItem("consent", `accepted ${Date.now()}`);
    const { router } = await open("/tr/");
    await waitFor(() => expect(scripts()).toHaveLength(1));
    void router.navigate("/tr/pricing/");
    await screen.findByRole("heading", { name: "/tr/pricing/" });
    void router.navigate("/tr/survey/start/?a=1");
    await waitFor(() => expect(assign).toHaveBeenCalledWith("/tr/survey/start/?a=1"));
    expect(router.state.location.pathname).toBe("/tr/pricing/");
  });

  it("is removed with its document when consent is withdrawn", async () => {
    localStorage.setItem("consent", `accepted ${Date.now()}`);
    const { choose } = await open("/tr/");
    await waitFor(() => expect(scripts()).toHaveLength(1));
    choose("declined");
    await waitFor(() => expect(reload).toHaveBeenCalled());
  });
});
