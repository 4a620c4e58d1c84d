// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock, scrollTo, stubBrowser } from "../family-tests/test-harness";
import VideoPlayer from "./video-player";

describe("a video on a page", () => {
  beforeEach(() => stubBrowser());
  afterEach(() => {
    cleanup();
    scrollTo(0);
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("starts muted when the page is scrolled past a hundred pixels", () => {
    const { container } = renderBlock(VideoPlayer, { id: "video" });
    act(() => scrollTo(100));
    expect(container.querySelector("video")).toBeNull();
    act(() => scrollTo(101));
    expect(container.querySelector("video")?.muted).toBe(true);
    expect(HTMLMediaElement.prototype.play).toHaveBeenCalled();
  });

  it("starts with sound on a press", () => {
    const { container } = renderBlock(VideoPlayer, { id: "video" });
    fireEvent.click(screen.getByRole("button", { name: "Play video: How a session feels" }));
    expect(container.querySelector("video")?.muted).toBe(false);
  });

  it("does not start automatically under reduced motion", () => {
    stubBrowser({ reducedMotion: true });
    const { container } = renderBlock(VideoPlayer, { id: "video" });
    act(() => scrollTo(500));
    expect(container.querySelector("video")).toBeNull();
  });

  it("shows a failure", () => {
    const { container } = renderBlock(VideoPlayer, { id: "video" });
    fireEvent.click(screen.getByRole("button", { name: "Play video: How a session feels" }));
    fireEvent.error(container.querySelector("video") as HTMLVideoElement);
    expect(screen.getByRole("alert").textContent).toContain("did not load");
  });

  it("has captions in the page's language", () => {
    const { container } = renderBlock(VideoPlayer, { id: "video", url: "/fr/" });
    act(() => scrollTo(101));
    const track = container.querySelector("track");
    expect(track?.getAttribute("src")).toBe("/audio/first-ten-minutes.vtt");
    expect([track?.srclang, track?.label]).toEqual(["fr", "Sous-titres"]);
  });

  it("of a video site is loaded on a press only", () => {
    const { container } = renderBlock(VideoPlayer, { id: "video-plain" });
    act(() => scrollTo(500));
    expect(container.innerHTML).not.toMatch(/youtube/);
    fireEvent.click(screen.getByRole("button", { name: "Play video: Video" }));
    const frame = container.querySelector("iframe");
    expect(frame?.src).toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\/aqz-KE-bpKQ\?/);
    expect(document.activeElement).toBe(frame);
  });

  it("has a transcript", () => {
    renderBlock(VideoPlayer, { id: "video" });
    expect(screen.getByText("Read the words")).toBeTruthy();
    expect(screen.getByText(/Let the shoulders fall/)).toBeTruthy();
  });
});
