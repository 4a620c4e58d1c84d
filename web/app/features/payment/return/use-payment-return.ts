import { useEffect, useMemo, useReducer } from "react";
import { useLocation } from "react-router";
import { askUntil } from "~/lib/ask-until";
import { offerLanguage, visitorCountry } from "~/lib/country";
import { getJson } from "~/lib/http/request";
import { localeOf } from "~/lib/locale";
import { openPayment } from "~/lib/open-payment";
import { type ReturnQuery, readReturn } from "~/lib/payment-return";
import { askSession, currentUser } from "~/lib/session";
import { createSurveyPlaylist, settleSurveyOrder } from "~/lib/survey-order";
import { loadCampaign } from "../offer/api";
import { arrive, type ReturnEvent, type ReturnState, reduce, type Told } from "./return-state";
import { askForRussian } from "./yookassa-platron-purchase";

/** What became of the return that an address tells of. */
interface Held {
  read: ReturnQuery;
  state: ReturnState;
}

function hear(held: Held | null, { read, event }: { read: ReturnQuery; event: ReturnEvent }): Held {
  const before = held?.read === read ? held.state : arrive(read);
  return { read, state: reduce(before, event) };
}

/**
 * How a payment went that was made elsewhere. Everything is asked for, so a reload, the way back and a second tab say the same.
 * Null: the address is not known yet.
 */
export function usePaymentReturn(query: URLSearchParams | null): ReturnState | null {
  const locale = localeOf(useLocation().pathname);
  const read = useMemo(() => query && readReturn(query), [query]);
  const arrived = useMemo(() => read && arrive(read), [read]);
  const [held, dispatch] = useReducer(hear, null);
  const state = held && held.read === read ? held.state : arrived;
  const step = state?.step;

  useEffect(() => {
    if (!query || !read?.isReturn) return;
    let wanted = true;
    void askOf(read, query).then((told) => wanted && dispatch({ read, event: { type: "told", told: told ?? "open" } }));
    return () => {
      wanted = false;
    };
  }, [read, query]);

  useEffect(() => {
    if (!query || !read || step !== "checking") return;
    const stop = new AbortController();
    void askUntil(() => settledIn(askOf(read, query)), stop.signal).then(
      (told) => told && dispatch({ read, event: { type: "told", told } }),
    );
    return () => stop.abort();
  }, [step, read, query]);

  const wantsRetry = state?.step === "failed" && !state.retryUrl;
  useEffect(() => {
    if (!read || !wantsRetry) return;
    let wanted = true;
    void findRetry(read, offerLanguage(locale)).then(
      (url) => wanted && url && dispatch({ read, event: { type: "retryFound", url } }),
    );
    return () => {
      wanted = false;
    };
  }, [wantsRetry, read, locale]);

  useEffect(() => {
    if (step !== "paid") return;
    const isCoaching = openPayment()?.isCoaching;
    void askSession()
      .then(() => (isCoaching ? settleSurveyOrder("follow-up", currentUser()) : undefined))
      .then(createSurveyPlaylist);
  }, [step]);

  return state;
}

/** With the very query of the address, but for a token, which was taken out of it. Null: no answer, or not yet. */
async function askOf({ verdict, paymentId }: ReturnQuery, query: URLSearchParams): Promise<Told | null> {
  // Of what comes without a word, only what the member has by now tells.
  if (verdict === "unknown" && !paymentId) {
    const { state } = await askSession();
    if (state === "visitor" && !openPayment()) return "unknown";
    return (await askForRussian(null)) ? "paid" : null;
  }
  const outcome = verdict === "failed" ? "error" : "success";
  const answer = await getJson<{ data: { state: Told } | null }>(`/api/platron/transaction/${outcome}?${query}`);
  return answer.ok ? (answer.value.data?.state ?? "unknown") : null;
}

async function settledIn(asked: Promise<Told | null>): Promise<Told | null> {
  const told = await asked;
  return told === "open" ? null : told;
}

/** Whoever is signed in can have another page to pay on. */
async function findRetry({ campaign, couponCode }: ReturnQuery, language: string): Promise<string | null> {
  const open = openPayment();
  const wanted = campaign ?? open?.campaign;
  const session = await askSession();
  if (!wanted || session.state !== "member") return null;
  const answer = await loadCampaign({
    campaign: wanted,
    couponCode: couponCode ?? (campaign && campaign !== open?.campaign ? null : (open?.couponCode ?? null)),
    language,
    country: await visitorCountry(),
    userId: session.user.user_id,
  });
  return answer.ok && answer.value.status ? (answer.value.data.providers?.platron?.redirect_url ?? null) : null;
}
