import { useEffect, useMemo, useReducer } from "react";
import { useLocation } from "react-router";
import { pollUntil } from "~/lib/browser/poll-until";
import { offerLanguage, visitorCountry } from "~/lib/country";
import { getJson } from "~/lib/http/request";
import { localeOf } from "~/lib/locale";
import { openPayment } from "~/lib/payment/open-payment";
import { type ReturnQuery, readReturn } from "~/lib/payment/payment-return";
import { currentUser, fetchAnsweredSession } from "~/lib/session/session";
import { createSurveyPlaylist, reportOrderPaid } from "~/lib/survey/survey-order";
import { loadCampaign } from "../offer/api";
import {
  initialState,
  isFinal,
  isPolling,
  type ProviderStatus,
  type ReturnEvent,
  type ReturnState,
  reduce,
} from "./return-state";
import { hasYookassaPlatronPurchase } from "./yookassa-platron-purchase";

/** The state of one return URL. */
interface ReturnProgress {
  read: ReturnQuery;
  state: ReturnState;
}

function reduceReturn(
  progress: ReturnProgress | null,
  { read, event }: { read: ReturnQuery; event: ReturnEvent },
): ReturnProgress {
  const before = progress?.read === read ? progress.state : initialState(read);
  return { read, state: reduce(before, event, read.verdict) };
}

/**
 * The outcome of a payment made on a provider's page. It is always requested, so a reload, a back navigation and a
 * second tab show the same. Null: the query is not known yet.
 */
export function usePaymentReturn(query: URLSearchParams | null): ReturnState | null {
  const locale = localeOf(useLocation().pathname);
  const read = useMemo(() => query && readReturn(query), [query]);
  const initial = useMemo(() => read && initialState(read), [read]);
  const [progress, dispatch] = useReducer(reduceReturn, null);
  const state = progress && progress.read === read ? progress.state : initial;
  const step = state?.step;

  useEffect(() => {
    if (!query || !read?.isReturn) return;
    let isCurrent = true;
    void fetchStatus(read, query).then(
      (status) =>
        isCurrent && dispatch({ read, event: status ? { type: "statusReceived", status } : { type: "noResponse" } }),
    );
    return () => {
      isCurrent = false;
    };
  }, [read, query]);

  const polls = isPolling(state);
  useEffect(() => {
    if (!query || !read || !polls) return;
    const stop = new AbortController();
    const poll = async () => {
      const status = await fetchStatus(read, query);
      if (status && !stop.signal.aborted) dispatch({ read, event: { type: "statusReceived", status } });
      return status && isFinal(status, read.verdict) ? status : null;
    };
    void pollUntil(poll, stop.signal);
    return () => stop.abort();
  }, [polls, read, query]);

  const wantsRetry = state !== null && "retryUrl" in state && !state.retryUrl;
  useEffect(() => {
    if (!read || !wantsRetry) return;
    let isCurrent = true;
    void fetchRetryUrl(read, offerLanguage(locale)).then(
      (url) => isCurrent && url && dispatch({ read, event: { type: "retryFound", url } }),
    );
    return () => {
      isCurrent = false;
    };
  }, [wantsRetry, read, locale]);

  useEffect(() => {
    if (step !== "paid") return;
    const isCoaching = openPayment()?.isCoaching;
    void fetchAnsweredSession()
      .then(() => (isCoaching ? reportOrderPaid("follow-up", currentUser()) : undefined))
      .then(createSurveyPlaylist);
  }, [step]);

  return state;
}

/** Sends the query unchanged, except for its token, which was removed. Null: no response. */
async function fetchStatus(
  { verdict, paymentId }: ReturnQuery,
  query: URLSearchParams,
): Promise<ProviderStatus | null> {
  // A return without a result is decided by the member's subscriptions.
  if (verdict === "unknown" && !paymentId) {
    const { state } = await fetchAnsweredSession();
    if (state === "visitor" && !openPayment()) return "unknown";
    const isPaid = await hasYookassaPlatronPurchase(null);
    return isPaid === null ? null : isPaid ? "paid" : "open";
  }
  const outcome = verdict === "failed" ? "error" : "success";
  const answer = await getJson<{ data: { state: ProviderStatus } | null }>(
    `/api/platron/transaction/${outcome}?${query}`,
  );
  return answer.ok ? (answer.value.data?.state ?? "unknown") : null;
}

/** A signed-in buyer gets a new payment page. */
async function fetchRetryUrl({ campaign, couponCode }: ReturnQuery, language: string): Promise<string | null> {
  const open = openPayment();
  const code = campaign ?? open?.campaign;
  const session = await fetchAnsweredSession();
  if (!code || session.state !== "member") return null;
  const answer = await loadCampaign({
    campaign: code,
    couponCode: couponCode ?? (campaign && campaign !== open?.campaign ? null : (open?.couponCode ?? null)),
    language,
    country: await visitorCountry(),
    userId: session.user.user_id,
  });
  return answer.ok && answer.value.status ? (answer.value.data.providers?.platron?.redirect_url ?? null) : null;
}
