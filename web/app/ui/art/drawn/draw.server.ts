import { hash, seeded } from "~/lib/random";
import type { ArtKind } from "../address";
import { avatar } from "./avatar.server";
import { cover } from "./cover.server";
import { lotus } from "./lotus.server";
import { orb } from "./orb.server";
import type { Random } from "./pen";
import { waves } from "./waves.server";

const kinds: Record<ArtKind, (random: Random) => string> = { waves, lotus, orb, avatar, cover };

/** The picture of a kind for a name: deterministic on every machine. */
export function draw(kind: ArtKind, slug: string): string {
  return kinds[kind](seeded(hash(`${kind}/${slug}`)));
}
