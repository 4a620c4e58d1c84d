/** A withdrawal from the first letter to its receipt. Only the server's answer makes it one. */
import type { Problem } from "~/lib/http/request";
import type { WithdrawalReceipt } from "./api";
import { type Draft, type Faults, refusedFields } from "./draft";

export type State =
  /** `again`: whoever fills it in has come back from the second step. */
  | { at: "filling"; again: boolean; refused: Faults }
  /** The second step: what is sent stands there to be read. */
  | { at: "reviewing" | "sending"; draft: Draft; key: string; problem: Problem | null }
  | { at: "received"; draft: Draft; receipt: WithdrawalReceipt };

export type Event =
  /** With a key of its own: what is sent twice is received once. */
  | { type: "reviewed"; draft: Draft; key: string }
  | { type: "changed" }
  | { type: "mended"; faults: Faults }
  | { type: "confirmed" }
  | { type: "received"; receipt: WithdrawalReceipt }
  | { type: "refused"; problem: Problem };

export const INITIAL: Extract<State, { at: "filling" }> = { at: "filling", again: false, refused: {} };

/** What does not belong to the present step changes nothing: late answers are harmless. */
export function reduce(state: State, event: Event): State {
  switch (state.at) {
    case "filling":
      if (event.type === "mended") return { ...state, refused: event.faults };
      return event.type === "reviewed" ? { at: "reviewing", draft: event.draft, key: event.key, problem: null } : state;
    case "reviewing":
      if (event.type === "changed") return { ...INITIAL, again: true };
      return event.type === "confirmed" ? { ...state, at: "sending", problem: null } : state;
    case "sending":
      if (event.type === "received") return { at: "received", draft: state.draft, receipt: event.receipt };
      return event.type === "refused" ? refused(state, event.problem) : state;
    case "received":
      return state;
  }
}

/** A field's fault is mended where the field is. Anything else can be tried again as it stands, under the same key. */
function refused({ draft, key }: { draft: Draft; key: string }, problem: Problem): State {
  const faults = refusedFields(problem);
  if (Object.keys(faults).length > 0) return { at: "filling", again: true, refused: faults };
  return { at: "reviewing", draft, key, problem };
}
