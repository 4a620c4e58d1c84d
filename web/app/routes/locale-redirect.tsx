import { redirect } from "react-router";
import { DEFAULT_LOCALE } from "~/lib/locale";

/** Paths without a locale. The gateway picks the visitor's language; asked directly, the renderer knows only the default. */
export function loader() {
  return redirect(`/${DEFAULT_LOCALE}/`);
}
