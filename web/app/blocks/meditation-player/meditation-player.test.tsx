// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stage, standIn } from "../stage";
import MeditationPlayer from "./meditation-player";

const KEY = "heard:/audio/first-ten-minutes.wav";

function show() {
  const { container } = stage(MeditationPlayer, { id: "player" });
  const audio = container.querySelector("audio");
  if (!audio) throw new Error("There is no audio");
  return audio;
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

describe("the player", () => {
  beforeEach(() => {
    localStorage.clear();
    standIn();
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("plays and pauses", () => {
    const audio = show();
    press("Play");
    expect(audio.paused).toBe(false);
    press("Pause");
    expect(audio.paused).toBe(true);
    expect(screen.getByRole("button", { name: "Play" })).toBeTruthy();
  });

  it("goes where the bar is pressed", () => {
    const audio = show();
    fireEvent.change(screen.getByRole("slider", { name: "Position" }), { target: { value: "32" } });
    expect(audio.currentTime).toBe(32);
    expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toBe("00:32 of 01:04");
  });

  it("goes fifteen seconds on and back, not past either end", () => {
    const audio = show();
    press("Forward 15 seconds");
    press("Forward 15 seconds");
    expect(audio.currentTime).toBe(30);
    press("Back 15 seconds");
    expect(audio.currentTime).toBe(15);
    for (let time = 0; time < 3; time += 1) press("Back 15 seconds");
    expect(audio.currentTime).toBe(0);
    for (let time = 0; time < 6; time += 1) press("Forward 15 seconds");
    expect(audio.currentTime).toBe(64);
  });

  it("plays and pauses with the space key on the bar", () => {
    const audio = show();
    fireEvent.keyDown(screen.getByRole("slider"), { key: " " });
    expect(audio.paused).toBe(false);
  });

  it("keeps the place somebody stopped at, and begins there the next time", () => {
    const audio = show();
    press("Play");
    fireEvent.change(screen.getByRole("slider"), { target: { value: "40" } });
    press("Pause");
    expect(localStorage.getItem(KEY)).toBe("40");
    cleanup();
    expect(audio.paused).toBe(true);
    expect(show().currentTime).toBe(40);
  });

  it("answers the keys of keyboard and headphones", () => {
    const handlers = new Map<string, MediaSessionActionHandler | null>();
    const session = { metadata: null as unknown, setActionHandler: handlers.set.bind(handlers) };
    vi.stubGlobal(
      "MediaMetadata",
      class {
        constructor(readonly given: MediaMetadataInit) {}
      },
    );
    Object.defineProperty(navigator, "mediaSession", { value: session, configurable: true });
    const audio = show();
    press("Play");
    handlers.get("seekforward")?.({ action: "seekforward" });
    expect(audio.currentTime).toBe(15);
    handlers.get("pause")?.({ action: "pause" });
    expect(audio.paused).toBe(true);
    expect(session.metadata).toMatchObject({ given: { title: "First ten minutes", artist: "With Ada Lindqvist" } });
    Reflect.deleteProperty(navigator, "mediaSession");
  });

  it("says so when the recording cannot be had", () => {
    const audio = show();
    fireEvent.error(audio);
    expect(screen.getByRole("alert").textContent).toContain("did not load");
  });
});
