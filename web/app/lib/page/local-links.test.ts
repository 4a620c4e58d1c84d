import { describe, expect, it } from "vitest";
import { withLocalLinks } from "./local-links";

describe("links in rendered HTML", () => {
  it("get the reader's locale, in any field", () => {
    const block = {
      items: [{ answerHtml: '<p><a href="/faq#trial" rel="noopener">FAQ</a></p>' }],
      html: '<a href="/">x</a>',
    };
    expect(withLocalLinks(block, "tr")).toEqual({
      items: [{ answerHtml: '<p><a href="/tr/faq/#trial" rel="noopener">FAQ</a></p>' }],
      html: '<a href="/tr/">x</a>',
    });
  });

  it("to other sites, and texts without HTML, stay unchanged", () => {
    const block = {
      html: '<a href="https://a.example/b">x</a><a href="#top">y</a>',
      text: '<a href="/faq">',
      count: 1,
      none: null,
    };
    expect(withLocalLinks(block, "ar")).toEqual(block);
  });
});
