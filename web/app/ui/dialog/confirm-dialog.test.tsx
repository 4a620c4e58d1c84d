// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "~/blocks/family-tests/test-harness";
import { ConfirmDialog } from "./confirm-dialog";

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function ask(props: Pick<Parameters<typeof ConfirmDialog>[0], "kind" | "cancelLabel">) {
  const onClose = vi.fn();
  render(<ConfirmDialog {...props} title="Really?" text="It is so." confirmLabel="Good" onClose={onClose} />);
  const dialog = screen.getByRole<HTMLDialogElement>("alertdialog", { name: "Really?", description: "It is so." });
  return { dialog, onClose };
}

describe("a question in a dialog", () => {
  it.each([
    ["success", "check"],
    ["warning", "alert"],
    ["fail", "close"],
  ] as const)("of kind %s has the icon %s and one way on, and may be left by a press beside it", (kind, icon) => {
    const { dialog, onClose } = ask({ kind });
    expect(dialog.querySelector("use")?.getAttribute("href")).toMatch(new RegExp(`#${icon}$`));
    const [good, ...others] = screen.getAllByRole<HTMLButtonElement>("button");
    expect(others).toEqual([]);
    expect(dialog.getAttribute("closedby")).toBe("any");
    // The browser closes it with the value of the button that was pressed.
    dialog.returnValue = good?.value ?? "";
    fireEvent(dialog, new Event("close"));
    expect(onClose.mock.calls).toEqual([[true]]);
  });

  it("can be answered with no, and is not left by a press beside it", () => {
    const { dialog, onClose } = ask({ kind: "warning", cancelLabel: "Keep it" });
    expect(dialog.getAttribute("closedby")).toBe("closerequest");
    dialog.returnValue = screen.getByRole<HTMLButtonElement>("button", { name: "Keep it" }).value;
    fireEvent(dialog, new Event("close"));
    expect(onClose.mock.calls).toEqual([[false]]);
  });
});
