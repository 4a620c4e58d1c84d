import { useCallback, useEffect, useReducer, useRef } from "react";
import { loadSubscriptions, sendWish, type Wish } from "./api";
import { INITIAL, isStale, isWaiting, mayWish, reduce, type State } from "./state";

const SOON_MS = 1_000;
const LATEST_MS = 5_000;

export interface Subscriptions {
  state: State;
  retry: () => void;
  /** Whether it was taken down. */
  wish: (id: string, wish: Wish) => Promise<boolean>;
}

export function useSubscriptions(): Subscriptions {
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const busy = useRef(false);
  const latest = useRef(0);

  /** Of two questions the later one's answer counts, and none that was asked before a wish. */
  const ask = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    const answer = await loadSubscriptions();
    if (turn !== latest.current) return;
    if (answer.ok) dispatch({ type: "listed", list: answer.value.subscriptions });
    else dispatch({ type: "listFailed", problem: answer.problem });
  }, []);

  const isLoading = state.at === "loading";
  useEffect(() => {
    if (isLoading) void ask();
  }, [isLoading, ask]);

  const waits = isWaiting(state) && !(state.at === "known" && isStale(state));
  useEffect(() => {
    if (!waits) return;
    let timer: ReturnType<typeof setTimeout>;
    let wanted = true;
    const askLater = (wait: number) => {
      timer = setTimeout(() => {
        void ask().then(() => wanted && askLater(Math.min(wait * 2, LATEST_MS)));
      }, wait);
    };
    askLater(SOON_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [waits, ask]);

  const wish = async (id: string, wanted: Wish) => {
    if (busy.current || !mayWish(state, id)) return false;
    busy.current = true;
    latest.current += 1;
    dispatch({ type: "wished", id, wish: wanted.name });
    const answer = await sendWish(id, wanted);
    busy.current = false;
    if (answer.ok) dispatch({ type: "answered", subscription: answer.value, wish: wanted.name });
    else dispatch({ type: "refused", id, wish: wanted.name, problem: answer.problem });
    // A refusal may come from a state that this page does not know of.
    if (!answer.ok) void ask();
    return answer.ok;
  };

  const retry = () => {
    dispatch({ type: "retried" });
    if (state.at === "known") void ask();
  };

  return { state, retry, wish };
}
