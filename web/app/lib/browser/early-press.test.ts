// @vitest-environment jsdom
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { QUEUE_PRESSES, replayPress } from "./early-press";

const pressed = vi.fn();

function page(html: string) {
  document.body.innerHTML = html;
  document.documentElement.setAttribute("data-asleep", "");
  for (const button of document.querySelectorAll("button")) {
    button.addEventListener("click", () => pressed(button.textContent));
  }
}

const element = (selector: string) => document.querySelector<HTMLElement>(selector) as HTMLElement;
const press = (selector: string) => element(selector).click();
const wakePage = () => replayPress(document.documentElement);

describe("a click before hydration", () => {
  // Runs the inline script as the page does.
  beforeAll(() => void new Function(QUEUE_PRESSES)());
  beforeEach(() => {
    pressed.mockReset();
    window.earlyPress = null;
  });

  it("is replayed once its block is hydrated, once", () => {
    page('<div id="block" data-asleep><button><b>Play</b></button></div>');
    press("b");
    press("b");
    expect(pressed).not.toHaveBeenCalled();
    expect(element("button").dataset.pressed).toBe("");
    wakePage();
    expect(pressed).not.toHaveBeenCalled();
    replayPress(element("#block"));
    expect(pressed.mock.calls).toEqual([["Play"]]);
    expect(element("button").dataset.pressed).toBeUndefined();
    press("b");
    expect(pressed).toHaveBeenCalledTimes(2);
  });

  it("outside of blocks is replayed once the page is hydrated", () => {
    page("<header><button>Menu</button></header>");
    press("button");
    wakePage();
    expect(pressed.mock.calls).toEqual([["Menu"]]);
  });

  it("is replaced by a later one", () => {
    page('<div id="block" data-asleep><button id="one">One</button><button id="two">Two</button></div>');
    press("#one");
    press("#two");
    wakePage();
    replayPress(element("#block"));
    expect(pressed.mock.calls).toEqual([["Two"]]);
  });

  it("is dropped when its button is gone", () => {
    page('<div id="block" data-asleep><button>Play</button></div>');
    press("button");
    element("button").remove();
    wakePage();
    replayPress(element("#block"));
    expect(pressed).not.toHaveBeenCalled();
  });

  it.each([
    ["a link", '<a href="#there">There</a>', "a"],
    ["a popover", '<button popovertarget="p">Menu</button>', "button"],
    ["a form with an address", '<form action="/api/x"><button>Send</button></form>', "button"],
    ["a box to tick", '<input type="checkbox">', "input"],
  ])("on %s is left to the browser", (_, html, selector) => {
    page(`<div data-asleep>${html}</div>`);
    const seen = vi.fn((event: Event) => event.preventDefault());
    element("div").addEventListener("click", seen);
    press(selector);
    expect(seen).toHaveBeenCalledOnce();
    expect(window.earlyPress).toBeNull();
  });

  it("on a submit button without an action does not submit the page", () => {
    page('<div id="block" data-asleep><form><button>Check</button></form></div>');
    const sent = vi.fn((event: Event) => event.preventDefault());
    element("form").addEventListener("submit", sent);
    press("button");
    expect(sent).not.toHaveBeenCalled();
    wakePage();
    replayPress(element("#block"));
    expect(sent).toHaveBeenCalledOnce();
  });
});
