import { useTexts } from "~/lib/i18n";
import { LotusMark } from "../art/lotus";
import { Button } from "../button/button";
import { ButtonLink } from "../button/button-link";

/** Independent of the header, which may be what failed. */
export function ErrorScreen({ status }: { status: number }) {
  const t = useTexts();
  const missing = status === 404;
  const title = t(missing ? "errors.missingTitle" : "errors.brokenTitle");
  return (
    <main
      id="main"
      tabIndex={-1}
      className="wrap grid min-h-dvh place-content-center justify-items-center py-16 text-center"
    >
      <title>{title}</title>
      <LotusMark className="h-14 w-auto text-action" />
      <h1 className="display mt-8 text-3xl">{title}</h1>
      <p className="mt-4 max-w-text text-lg text-muted">{t(missing ? "errors.missing" : "errors.broken")}</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        {!missing && <Button onClick={() => window.location.reload()}>{t("errors.retry")}</Button>}
        <ButtonLink url="/" variant={missing ? "primary" : "secondary"}>
          {t("errors.home")}
        </ButtonLink>
      </div>
    </main>
  );
}
