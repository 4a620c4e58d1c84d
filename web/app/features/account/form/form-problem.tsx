import { useLocation } from "react-router";
import { faultKey } from "~/lib/form/account-fields";
import { formatWait } from "~/lib/format/wait";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { type TextKey, type Texts, useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useHydrated } from "~/lib/browser/hydrated";
import { type Locale, localeOf, locales } from "~/lib/locale";
import { Notice } from "~/ui/notice/notice";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { Toast } from "~/ui/toast/toast";
import { CHALLENGE_EXPIRED } from "../second-step/codes";
import { RETURNED_CODES, refusedFields, returnedProblem } from "./refusal";
import type { AccountForm } from "./use-account-form";
import type { FieldName, Purpose } from "./validate";

/** The server's first message, or the fields that have faults. */
export function FormProblem({ form }: { form: AccountForm }) {
  const t = useTexts();
  const tag = locales[localeOf(useLocation().pathname)].tag;
  const fields = (Object.keys(form.faults) as FieldName[]).map((field) => t(`auth.fields.${field}`));
  if (form.problem) {
    return (
      <Toast key={form.attempts} onClose={form.dismiss}>
        <ProblemText problem={form.problem} />
      </Toast>
    );
  }
  if (!form.attempted || fields.length === 0) return null;
  const list = new Intl.ListFormat(tag, { type: "unit", style: "short" });
  return (
    <Toast key={form.attempts} onClose={form.dismiss}>
      <p>
        {t("auth.loginRegisterCommonErrorMsg")}{" "}
        {list.formatToParts(fields).map(({ type, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: commas have no other key.
          <span key={index} className={type === "element" ? "whitespace-nowrap" : undefined}>
            {value}
          </span>
        ))}
      </p>
    </Toast>
  );
}

/** For browsers without scripts: all messages are in the page, and the fragment of the URL shows one. */
export function ReturnedProblems({ purpose }: { purpose: Purpose }) {
  if (useHydrated()) return null;
  return RETURNED_CODES[purpose].map((code) => (
    <div key={code} id={code} className="hidden scroll-mt-24 target:block">
      <Notice tone="danger">
        <ProblemText problem={returnedProblem(code)} />
      </Notice>
    </div>
  ));
}

function ProblemText({ problem }: { problem: Problem }) {
  const t = useTexts();
  const { pathname, search } = useLocation();
  const isHydrated = useHydrated();
  const locale = localeOf(pathname);
  if (problem.code === "R100") {
    const query = isHydrated ? otherParameters(search) : "";
    const html = t("auth.R100", { signInUrl: `/${locale}/signin/${query}` });
    return <TrustedHtml html={html} className="[&_a]:font-bold [&_a]:underline [&_a]:underline-offset-2" />;
  }
  return <p>{messageFor(problem, locale, t)}</p>;
}

function messageFor(problem: Problem, locale: Locale, t: Texts): string {
  const [first] = Object.entries(refusedFields(problem));
  if (first) return t(faultKey(...first));
  return waitMessage(problem, locale, t) ?? t(messageKey(problem));
}

/** The wait that the server demands; null: none. */
export function waitMessage(problem: Problem, locale: Locale, t: Texts): string | null {
  if (problem.retryAfterSecs !== null && problem.status === 429) {
    return t("auth.tooManyUntil", { wait: formatWait(problem.retryAfterSecs, locale) });
  }
  return null;
}

function messageKey({ code, status }: Problem): TextKey {
  if (code === "INVALID_CREDENTIALS") return "auth.wrongCredentials";
  if (code === "LINK_EXPIRED") return "auth.linkExpired";
  if (code === CHALLENGE_EXPIRED) return "secondFactor.expired";
  if (code === NETWORK_FAILURE) return "errors.network";
  return status === 429 || code === "TOO_MANY_ATTEMPTS" ? "errors.tooMany" : "errors.generic";
}

/** The query is rebuilt, so that no value can break out of the attribute. */
function otherParameters(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("error");
  const text = query.toString().replaceAll("&", "&amp;");
  return text && `?${text}`;
}
