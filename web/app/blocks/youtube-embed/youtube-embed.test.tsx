// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { renderBlock } from "../family-tests/test-harness";
import YoutubeEmbed from "./youtube-embed";

afterEach(cleanup);

it("YouTube is not contacted before a press on play", () => {
  const { container } = renderBlock(YoutubeEmbed, { id: "youtube" });
  expect(container.innerHTML).not.toMatch(/youtube(-nocookie)?\.com|ytimg/);
  fireEvent.click(screen.getByRole("button", { name: "Play video: A walk in the park" }));
  const frame = screen.getByTitle("A walk in the park");
  expect(frame.getAttribute("src")).toBe(
    "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0&enablejsapi=1",
  );
});
