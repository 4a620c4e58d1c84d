import { Fragment } from "react";
import { useLocation } from "react-router";
import { NETWORK_FAILURE } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import { localeOf, locales } from "~/lib/locale";
import { Link } from "~/ui/link/link";
import { Notice } from "~/ui/notice/notice";
import type { AccountForm } from "./use-account-form";
import type { FieldName } from "./validate";

/** What went wrong, above the form: the refusal itself, or which fields want attention. */
export function FormProblem({ form }: { form: AccountForm }) {
  const t = useTexts();
  const { pathname, search } = useLocation();
  const list = new Intl.ListFormat(locales[localeOf(pathname)].tag, { type: "unit", style: "short" });
  const fields = (Object.keys(form.faults) as FieldName[]).map((field) => t(`auth.fields.${field}`));
  if (form.problem?.code === "R100") {
    return (
      <Notice tone="danger">
        <p>
          {t("auth.R100")}{" "}
          <Link url={`/signin/${search}`} className="font-bold underline underline-offset-2">
            {t("auth.R100Action")}
          </Link>
        </p>
      </Notice>
    );
  }
  if (form.attempted && fields.length > 0) {
    return (
      <Notice tone="danger">
        <p>
          {t("auth.loginRegisterCommonErrorMsg")}{" "}
          {list.formatToParts(fields).map(({ type, value }, index) =>
            type === "element" ? (
              <span key={value} className="whitespace-nowrap">
                {value}
              </span>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: commas have nothing else to tell them apart.
              <Fragment key={index}>{value}</Fragment>
            ),
          )}
        </p>
      </Notice>
    );
  }
  if (!form.problem) return null;
  return (
    <Notice tone="danger">
      <p>{t(messageKey(form.problem.code, form.problem.status))}</p>
    </Notice>
  );
}

function messageKey(code: string, status: number) {
  if (code === "INVALID_CREDENTIALS") return "auth.wrongCredentials";
  if (code === NETWORK_FAILURE) return "errors.network";
  return status === 429 ? "errors.tooMany" : "errors.generic";
}
