/** Posts a handoff token to the external site that signs the member in. */
import { useMemo } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { postJson } from "../http/request";
import { localeOf } from "../locale";

const SUBMIT_AFTER_MS = 10;

/** Resolves to false, without navigating, when no token was issued. */
export type Autologin = (extra?: Record<string, string>) => Promise<boolean>;

/** Null without a configured autologin URL. */
export function useAutologin(): Autologin | null {
  const page = useRouteLoaderData("routes/page") as { autologinUrl?: string | null } | undefined;
  const lang = localeOf(useLocation().pathname);
  const url = page?.autologinUrl;
  return useMemo(() => (url ? (extra = {}) => postHandoffToken(url, { ...extra, lang }) : null), [url, lang]);
}

async function postHandoffToken(url: string, fields: Record<string, string>): Promise<boolean> {
  const answer = await postJson<{ token: string }>("/api/auth/handoff-tokens", { body: { purpose: "autologin" } });
  if (!answer.ok) {
    console.warn("Handoff token request failed:", answer.problem.code);
    return false;
  }
  const form = hiddenForm(url, { ...fields, token: answer.value.token });
  document.body.append(form);
  setTimeout(() => form.submit(), SUBMIT_AFTER_MS);
  return true;
}

function hiddenForm(url: string, fields: Record<string, string>): HTMLFormElement {
  const form = Object.assign(document.createElement("form"), {
    method: "post",
    action: url,
    hidden: true,
    // The external site must not get the referrer.
    rel: "noreferrer",
  });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  return form;
}
