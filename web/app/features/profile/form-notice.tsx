import { useLocation } from "react-router";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { localeOf, locales } from "~/lib/locale";
import { STEP_UP_REQUIRED } from "~/lib/session/step-up";
import { Notice } from "~/ui/notice/notice";
import { Toast } from "~/ui/toast/toast";
import type { ProfileForm } from "./use-profile-form";
import type { FieldName } from "./validate";

/** The refusal above the form, or a toast that names the invalid fields. */
export function FormNotice({ form }: { form: ProfileForm }) {
  const t = useTexts();
  const { tag } = locales[localeOf(useLocation().pathname)];
  const fields = (Object.keys(form.faults) as FieldName[]).map((field) => t(`auth.fields.${field}`));
  const message = useProblemText();
  if (form.attempted && fields.length > 0 && form.problem?.code !== "R100") {
    const list = new Intl.ListFormat(tag, { type: "unit", style: "short" }).format(fields);
    return (
      <Toast onClose={form.dismiss}>
        {t("auth.loginRegisterCommonErrorMsg")} {list}
      </Toast>
    );
  }
  if (!form.problem) return null;
  return (
    <Notice tone="danger">
      <p>{message(form.problem)}</p>
    </Notice>
  );
}

/** The text of a problem. */
export function useProblemText(): (problem: Problem) => string {
  const t = useTexts();
  return ({ code, status }) => {
    if (code === "R100") return t("auth.faults.taken");
    if (code === STEP_UP_REQUIRED) return t("stepUp.needed");
    if (code === NETWORK_FAILURE) return t("errors.network");
    return t(status === 429 ? "errors.tooMany" : "errors.generic");
  };
}
