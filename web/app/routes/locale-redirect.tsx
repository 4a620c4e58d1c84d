import { redirect } from "react-router";
import { DEFAULT_LOCALE } from "~/lib/locale";

/** Paths without a locale. The gateway chooses the visitor's language; the renderer has only the default. */
export function loader() {
  return redirect(`/${DEFAULT_LOCALE}/`);
}
