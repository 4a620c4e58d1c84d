import { useCallback, useEffect, useReducer, useRef } from "react";
import { loadSubscriptions, type SubscriptionAction, sendAction } from "./api";
import { INITIAL, isStale, mayAct, needsPolling, reduce, type State } from "./state";

const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 5_000;

export interface Subscriptions {
  state: State;
  retry: () => void;
  /** Resolves to whether the server accepted the action. */
  runAction: (id: string, action: SubscriptionAction) => Promise<boolean>;
}

export function useSubscriptions(): Subscriptions {
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const busy = useRef(false);
  const latest = useRef(0);

  /** Only the latest load counts, and none that started before an action. */
  const load = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    const answer = await loadSubscriptions();
    if (turn !== latest.current) return;
    if (answer.ok) dispatch({ type: "listed", list: answer.value.subscriptions });
    else dispatch({ type: "listFailed", problem: answer.problem });
  }, []);

  const isLoading = state.at === "loading";
  useEffect(() => {
    if (isLoading) void load();
  }, [isLoading, load]);

  const isPolling = needsPolling(state) && !(state.at === "known" && isStale(state));
  useEffect(() => {
    if (!isPolling) return;
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const pollAfter = (wait: number) => {
      timer = setTimeout(() => {
        void load().then(() => isCurrent && pollAfter(Math.min(wait * 2, MAX_POLL_MS)));
      }, wait);
    };
    pollAfter(FIRST_POLL_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isPolling, load]);

  const runAction = async (id: string, action: SubscriptionAction) => {
    if (busy.current || !mayAct(state, id)) return false;
    busy.current = true;
    latest.current += 1;
    dispatch({ type: "actionStarted", id, action: action.name });
    const answer = await sendAction(id, action);
    busy.current = false;
    if (answer.ok) dispatch({ type: "answered", subscription: answer.value, action: action.name });
    else dispatch({ type: "refused", id, action: action.name, problem: answer.problem });
    // The page's state may be outdated after a refusal.
    if (!answer.ok) void load();
    return answer.ok;
  };

  const retry = () => {
    dispatch({ type: "retried" });
    if (state.at === "known") void load();
  };

  return { state, retry, runAction };
}
