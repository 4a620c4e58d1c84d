import { describe, expect, it } from "vitest";
import { registry } from "~/blocks/registry";
import { samples } from "~/blocks/samples";
import { loader, meta } from "./gallery";

const visit = (locale: string, kind?: string) =>
  loader({ params: { locale, kind } } as unknown as Parameters<typeof loader>[0]);

describe("the gallery", () => {
  it("has a sample of every block", () => {
    const shown = new Set(samples.map((sample) => sample.__typename));
    expect(Object.keys(registry).filter((kind) => !shown.has(kind as never))).toEqual([]);
  });

  it("shows each sample under a unique name", () => {
    const names = samples.map(({ id }) => id);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("shows one kind alone, and the parts", () => {
    const { data } = visit("ar", "Heading");
    expect(new Set(data.sections.map(({ __typename }) => __typename))).toEqual(new Set(["Heading"]));
    expect(visit("ar", "Parts").data.sections).toEqual([]);
  });

  it("is noindex", () => {
    expect(visit("en").init?.headers).toMatchObject({ "x-robots-tag": "noindex, nofollow" });
    const tags = meta({ params: {} } as unknown as Parameters<typeof meta>[0]);
    expect(tags).toContainEqual({ name: "robots", content: "noindex, nofollow" });
  });

  it("is 404 for an unknown kind", () => {
    const missing = expect.objectContaining({ init: expect.objectContaining({ status: 404 }) });
    expect(() => visit("en", "Hologram")).toThrow(missing);
  });
});
