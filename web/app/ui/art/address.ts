import { hash } from "~/lib/random";
import type { PictureContent } from "../picture/picture";

export const ART_KINDS = ["waves", "lotus", "orb", "avatar", "cover"] as const;
export type ArtKind = (typeof ART_KINDS)[number];

const SIZES: Record<ArtKind, readonly [width: number, height: number]> = {
  waves: [1200, 900],
  lotus: [1200, 900],
  cover: [1200, 900],
  orb: [600, 600],
  avatar: [240, 240],
};

export function artSize(kind: ArtKind): { width: number; height: number } {
  const [width, height] = SIZES[kind];
  return { width, height };
}

/** Address of the generated picture for a name, where content has none. */
export function artFor(kind: ArtKind, name: string): PictureContent {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return { url: `/art/${kind}/${slug || hash(name).toString(36)}.svg`, alt: "", ...artSize(kind) };
}
