import { useEffect, useMemo, useReducer } from "react";
import { useLocation } from "react-router";
import { askUntil } from "~/lib/ask-until";
import { offerLanguage, visitorCountry } from "~/lib/country";
import { getJson } from "~/lib/http/request";
import { localeOf } from "~/lib/locale";
import { openPayment } from "~/lib/open-payment";
import { type ReturnQuery, readReturn } from "~/lib/payment-return";
import { askSession, currentUser } from "~/lib/session";
import { settleSurveyOrder } from "~/lib/survey-order";
import { loadCampaign } from "./api";
import { arrive, type ReturnEvent, type ReturnState, reduce, type Told } from "./return-state";
import { askForRussian } from "./unheard";

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
    if (!query || !read || read.verdict === "unknown") return;
    let wanted = true;
    void askPlatron(read, query).then((told) => wanted && told && dispatch({ read, event: { type: "told", told } }));
    return () => {
      wanted = false;
    };
  }, [read, query]);

  useEffect(() => {
    if (!query || !read || step !== "checking") return;
    const stop = new AbortController();
    void askUntil(() => askOf(read, query), stop.signal).then(
      (told) => told && dispatch({ read, event: { type: "told", told } }),
    );
    return () => stop.abort();
  }, [step, read, query]);

  useEffect(() => {
    if (!read || state?.step !== "failed" || state.retryUrl) return;
    let wanted = true;
    void findRetry(read, offerLanguage(locale)).then(
      (url) => wanted && url && dispatch({ read, event: { type: "retryFound", url } }),
    );
    return () => {
      wanted = false;
    };
  }, [state, read, locale]);

  useEffect(() => {
    if (step === "paid" && openPayment()?.isCoaching) {
      void askSession().then(() => settleSurveyOrder("follow-up", currentUser()));
    }
  }, [step]);

  useUnpaidMark(step === "failed");
  return state;
}

/** Only the outcome and the footer are left of a page that thanks for a payment there was not. */
function useUnpaidMark(isUnpaid: boolean): void {
  useEffect(() => {
    const root = document.documentElement;
    root.toggleAttribute("data-unpaid", isUnpaid);
    return () => root.removeAttribute("data-unpaid");
  }, [isUnpaid]);
}

/** With the very query of the address, but for a token, which was taken out of it. Null: our side knows nothing of it. */
async function askPlatron({ verdict }: ReturnQuery, query: URLSearchParams): Promise<Told | null> {
  const outcome = verdict === "failed" ? "error" : "success";
  const answer = await getJson<{ data: { state: Told } | null }>(`/api/platron/transaction/${outcome}?${query}`);
  return answer.ok ? (answer.value.data?.state ?? null) : null;
}

/** Null: not yet. */
async function askOf(read: ReturnQuery, query: URLSearchParams): Promise<Told | null> {
  if (read.paymentId) {
    const told = await askPlatron(read, query);
    return told === "open" ? null : told;
  }
  const heard = await askForRussian(null);
  return heard ? "paid" : null;
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
