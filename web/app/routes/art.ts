import { data } from "react-router";
import { ART_KINDS, type ArtKind } from "~/ui/art/address";
import { draw } from "~/ui/art/drawn/draw.server";
import type { Route } from "./+types/art";

const FILE = /^([a-z0-9_-]{1,80})\.svg$/;

/** A picture changes only with a release, so it is cached for a limited time. */
const CACHE_CONTROL = "public, max-age=86400, s-maxage=604800, stale-while-revalidate=2592000";

export function loader({ params }: Route.LoaderArgs) {
  const [, slug] = FILE.exec(params.file) ?? [];
  if (!slug || !isArtKind(params.kind)) throw data(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(draw(params.kind, slug), {
    headers: {
      "content-type": "image/svg+xml",
      "cache-control": CACHE_CONTROL,
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff",
    },
  });
}

function isArtKind(kind: string): kind is ArtKind {
  return ART_KINDS.some((known) => known === kind);
}
