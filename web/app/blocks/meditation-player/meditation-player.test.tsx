// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import VideoPlayer from "../video-player/video-player";
import MeditationPlayer from "./meditation-player";

const KEY = "position:/audio/first-ten-minutes.wav";

function show(id = "player") {
  const { container } = renderBlock(MeditationPlayer, { id });
  const audio = container.querySelector("audio");
  if (!audio) throw new Error("There is no audio");
  return audio;
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

describe("the player", () => {
  beforeEach(() => {
    localStorage.clear();
    stubBrowser();
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

  it("seeks to the pressed position", () => {
    const audio = show();
    fireEvent.change(screen.getByRole("slider", { name: "Position" }), { target: { value: "32" } });
    expect(audio.currentTime).toBe(32);
    expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toBe("00:32 of 01:04");
  });

  it("skips fifteen seconds, within the recording", () => {
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

  describe("of a recording without a duration in content", () => {
    const id = "player-plain";

    it("reads the duration from metadata that loaded before hydration", () => {
      vi.spyOn(HTMLMediaElement.prototype, "duration", "get").mockReturnValue(64);
      const audio = show(id);
      expect(screen.getByText("01:04")).toBeTruthy();
      press("Forward 15 seconds");
      expect(audio.currentTime).toBe(15);
      fireEvent.change(screen.getByRole("slider"), { target: { value: "32" } });
      expect(audio.currentTime).toBe(32);
    });

    it("skips while the duration is unknown, and disables the bar", () => {
      const audio = show(id);
      expect(screen.getByText("--:--")).toBeTruthy();
      expect(screen.getByRole<HTMLInputElement>("slider").disabled).toBe(true);
      press("Forward 15 seconds");
      expect(audio.currentTime).toBe(15);
      vi.spyOn(audio, "duration", "get").mockReturnValue(64);
      fireEvent.durationChange(audio);
      expect(screen.getByRole<HTMLInputElement>("slider").disabled).toBe(false);
      expect(screen.getByText("01:04")).toBeTruthy();
    });
  });

  it("plays and pauses with the space key on the bar", () => {
    const audio = show();
    fireEvent.keyDown(screen.getByRole("slider"), { key: " " });
    expect(audio.paused).toBe(false);
  });

  it("saves the position and starts there the next time", () => {
    const audio = show();
    press("Play");
    fireEvent.change(screen.getByRole("slider"), { target: { value: "40" } });
    press("Pause");
    expect(localStorage.getItem(KEY)).toBe("40");
    cleanup();
    expect(audio.paused).toBe(true);
    expect(show().currentTime).toBe(40);
  });

  it("resumes at the same position on a retry", () => {
    const audio = show();
    press("Play");
    fireEvent.change(screen.getByRole("slider"), { target: { value: "40" } });
    let fault = {} as MediaError | null;
    Object.defineProperty(audio, "error", { get: () => fault });
    fireEvent.error(audio);
    audio.pause();
    expect(screen.getByRole("alert").textContent).toContain("did not load");
    vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(function load(this: HTMLMediaElement) {
      fault = null;
      this.currentTime = 0;
    });
    press("Play");
    expect(audio.currentTime).toBe(40);
    expect(audio.paused).toBe(false);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows no failure before the first play", () => {
    fireEvent.error(show());
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is busy while the recording loads", () => {
    const audio = show();
    press("Play");
    fireEvent.waiting(audio);
    expect(screen.getByRole("button", { name: "Pause" }).getAttribute("aria-busy")).toBe("true");
    fireEvent.playing(audio);
    expect(screen.getByRole("button", { name: "Pause" }).hasAttribute("aria-busy")).toBe(false);
  });

  it("shows the buffered part", () => {
    const audio = show();
    const range = { length: 1, start: () => 0, end: () => 16 };
    Object.defineProperty(audio, "buffered", { value: range });
    fireEvent.progress(audio);
    expect(screen.getByRole("slider").style.getPropertyValue("--loaded")).toBe("25.00%");
  });

  it.each([
    ["k", () => document.querySelector("audio")?.paused, false],
    ["l", () => document.querySelector("audio")?.currentTime, 35],
    ["j", () => document.querySelector("audio")?.currentTime, 5],
    ["ArrowRight", () => document.querySelector("audio")?.currentTime, 25],
    ["ArrowLeft", () => document.querySelector("audio")?.currentTime, 15],
  ] as const)("supports the key %s of other players", (key, read, expected) => {
    show();
    fireEvent.change(screen.getByRole("slider"), { target: { value: "20" } });
    fireEvent.keyDown(screen.getByRole("slider"), { key });
    expect(read()).toBe(expected);
  });

  it("ignores the browser's shortcuts", () => {
    const audio = show();
    fireEvent.keyDown(screen.getByRole("slider"), { key: "l", ctrlKey: true });
    expect(audio.currentTime).toBe(0);
  });

  it("plays at the chosen speed, the next time too", () => {
    const audio = show();
    const choice = screen.getByRole("combobox", { name: "Speed" });
    fireEvent.change(choice, { target: { value: "1.25" } });
    expect([audio.playbackRate, audio.defaultPlaybackRate]).toEqual([1.25, 1.25]);
    cleanup();
    expect(show().playbackRate).toBe(1.25);
  });

  it("formats its speeds in the language", () => {
    renderBlock(MeditationPlayer, { id: "player", url: "/de/" });
    expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["0,75×", "1×", "1,25×", "1,5×"]);
  });

  it("pauses when another one plays", () => {
    const first = show();
    const { container } = renderBlock(MeditationPlayer, { id: "player-plain" });
    const second = container.querySelector("audio") as HTMLAudioElement;
    fireEvent.click(screen.getAllByRole("button", { name: "Play" })[0] as HTMLElement);
    expect(first.paused).toBe(false);
    fireEvent.click(screen.getAllByRole("button", { name: "Play" })[0] as HTMLElement);
    expect([first.paused, second.paused]).toEqual([true, false]);
  });

  it("plays the last requested one, even if an earlier one loads later", () => {
    stubBrowser({ slowLine: true });
    const first = show();
    const { container } = renderBlock(MeditationPlayer, { id: "player-plain" });
    const second = container.querySelector("audio") as HTMLAudioElement;
    for (const button of screen.getAllByRole("button", { name: "Play" })) fireEvent.click(button);
    fireEvent.playing(second);
    fireEvent.playing(first);
    expect([first.paused, second.paused]).toEqual([true, false]);
    expect(screen.getAllByRole("button", { name: /^(Play|Pause)$/ }).map(({ ariaLabel }) => ariaLabel)).toEqual([
      "Play",
      "Pause",
    ]);
  });

  it("pauses when a video plays", () => {
    const audio = show();
    press("Play");
    renderBlock(VideoPlayer, { id: "video" });
    fireEvent.click(screen.getByRole("button", { name: /^Play video/ }));
    expect(audio.paused).toBe(false);
    fireEvent.play(document.querySelector("video") as HTMLVideoElement);
    expect(audio.paused).toBe(true);
  });

  describe("with media keys", () => {
    const handlers = new Map<string, MediaSessionActionHandler | null>();
    const session = { metadata: null as unknown, setActionHandler: vi.fn(), setPositionState: vi.fn() };

    beforeEach(() => {
      handlers.clear();
      session.setActionHandler.mockImplementation((key, run) => handlers.set(key, run));
      vi.stubGlobal(
        "MediaMetadata",
        class {
          constructor(readonly given: MediaMetadataInit) {}
        },
      );
      Object.defineProperty(navigator, "mediaSession", { value: session, configurable: true });
    });
    afterEach(() => void Reflect.deleteProperty(navigator, "mediaSession"));

    /** The handlers are loaded on playback. */
    const held = () => vi.waitFor(() => expect(handlers.get("seekto")).toBeTruthy());

    it("sets the metadata and handles the keys", async () => {
      const audio = show();
      press("Play");
      await held();
      expect(session.metadata).toMatchObject({ given: { title: "First ten minutes", artist: "With Ada Lindqvist" } });
      handlers.get("seekforward")?.({ action: "seekforward" });
      expect(audio.currentTime).toBe(15);
      handlers.get("seekbackward")?.({ action: "seekbackward", seekOffset: 5 });
      expect(audio.currentTime).toBe(10);
      handlers.get("seekto")?.({ action: "seekto", seekTime: 42 });
      expect(audio.currentTime).toBe(42);
      handlers.get("pause")?.({ action: "pause" });
      handlers.get("pause")?.({ action: "pause" });
      expect(audio.paused).toBe(true);
      handlers.get("play")?.({ action: "play" });
      expect(audio.paused).toBe(false);
    });

    it("reports the position", async () => {
      const audio = show();
      Object.defineProperty(audio, "duration", { value: 64 });
      press("Play");
      audio.currentTime = 20;
      fireEvent.seeked(audio);
      const place = { duration: 64, playbackRate: 1, position: 20 };
      await vi.waitFor(() => expect(session.setPositionState).toHaveBeenLastCalledWith(place));
    });

    it("ignores unsupported actions", async () => {
      session.setActionHandler.mockImplementation((key, run) => {
        if (key === "stop") throw new TypeError("unknown");
        handlers.set(key, run);
      });
      show();
      press("Play");
      await held();
    });

    it("releases the keys on unmount", async () => {
      show();
      press("Play");
      await held();
      cleanup();
      await vi.waitFor(() => expect(session.metadata).toBeNull());
      expect([...handlers.values()].every((handler) => handler === null)).toBe(true);
    });
  });
});
