import { useNavigation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { Spinner } from "./spinner";

/** Shown when loading the next page takes noticeably long. */
export function PageSpinner() {
  const t = useTexts();
  const { state } = useNavigation();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-20 z-40 grid justify-items-center">
      {state === "loading" && (
        <p className="page-spinner flex items-center gap-2.5 rounded-pill bg-card px-4 py-2.5 text-sm font-semibold text-ink shadow-raised">
          <Spinner className="text-action" />
          {t("common.loading")}
        </p>
      )}
    </div>
  );
}
