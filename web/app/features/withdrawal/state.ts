/** The state of a withdrawal from draft to receipt. Only the server's response completes it. */
import type { Problem } from "~/lib/http/request";
import type { WithdrawalReceipt } from "./api";
import { type Draft, type Faults, refusedFields } from "./draft";

export type State =
  /** `again`: the buyer came back from the second step. */
  | { at: "filling"; again: boolean; refused: Faults }
  /** The second step shows the declaration for review. */
  | { at: "reviewing" | "sending"; draft: Draft; key: string; problem: Problem | null }
  | { at: "received"; draft: Draft; receipt: WithdrawalReceipt };

export type Event =
  /** The key makes a resend count once. */
  | { type: "reviewed"; draft: Draft; key: string }
  | { type: "changed" }
  | { type: "mended"; faults: Faults }
  | { type: "confirmed" }
  | { type: "received"; receipt: WithdrawalReceipt }
  | { type: "refused"; problem: Problem };

export const INITIAL: Extract<State, { at: "filling" }> = { at: "filling", again: false, refused: {} };

/** An event that does not fit the step is ignored, so late answers are harmless. */
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

/** Field faults go back to the form; any other problem can be retried under the same key. */
function refused({ draft, key }: { draft: Draft; key: string }, problem: Problem): State {
  const faults = refusedFields(problem);
  if (Object.keys(faults).length > 0) return { at: "filling", again: true, refused: faults };
  return { at: "reviewing", draft, key, problem };
}
