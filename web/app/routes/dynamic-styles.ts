import { data } from "react-router";
import { sheetOf } from "~/ui/dynamic-styles/sheet.server";
import type { Route } from "./+types/dynamic-styles";

const FILE = /^(.+)\.css$/;

/** The name contains everything except token values, which change with a release. */
const CACHE_CONTROL = "public, max-age=86400, s-maxage=604800, stale-while-revalidate=2592000";

export function loader({ params }: Route.LoaderArgs) {
  const [, name = ""] = FILE.exec(params.file) ?? [];
  const sheet = sheetOf(name);
  if (sheet === null) throw data(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(sheet, {
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": CACHE_CONTROL,
      "x-content-type-options": "nosniff",
    },
  });
}
