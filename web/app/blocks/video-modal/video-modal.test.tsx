// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import VideoModal from "./video-modal";

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("the video is mounted only while the dialog is open", () => {
  const { container } = renderBlock(VideoModal, { id: "video-modal" });
  expect(container.querySelector("video")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Watch the film" }));
  expect(container.querySelector("video")?.getAttribute("src")).toBe("https://media.stillpoint.example/why.mp4");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(container.querySelector("video")).toBeNull();
});
