import { consentOf } from "../presenting/consent.server";
import type { Data } from "../types";

export function presentAppDownloadBox(block: Data<"AppDownloadBox">) {
  const { __typename, id, title, body, countdownSecs, button } = block;
  const terms = consentOf(true, block.termsLabelHtml);
  const gdpr = consentOf(true, block.consentLabelHtml);
  return { __typename, id, title, body, countdownSecs, button, terms, gdpr };
}
