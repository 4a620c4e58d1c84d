import { describe, expect, it } from "vitest";
import { videoSource } from "./source";

describe("a video", () => {
  it.each([
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=3",
    "https://youtu.be/aqz-KE-bpKQ",
    "https://www.youtube.com/shorts/aqz-KE-bpKQ",
    "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ",
  ])("at %s is embedded without cookies", (url) => {
    expect(videoSource(url)).toEqual({
      kind: "embed",
      url: "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0&enablejsapi=1",
    });
  });

  it("of Vimeo is embedded without tracking", () => {
    expect(videoSource("https://vimeo.com/76979871")).toEqual({
      kind: "embed",
      url: "https://player.vimeo.com/video/76979871?dnt=1&autoplay=1",
    });
  });

  it.each([
    "https://media.example/calm.mp4",
    "/video/calm.webm",
    "https://youtube.com/@stillpoint",
    "https://evil.example/?v=aqz-KE-bpKQ",
  ])("at %s is played as a file", (url) => {
    expect(videoSource(url)).toEqual({ kind: "file", url });
  });
});
