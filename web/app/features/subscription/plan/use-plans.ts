import { useEffect, useState } from "react";
import type { Problem } from "~/lib/http/request";
import { loadPlans, type Plan, type PlanPreview, previewPlan } from "../api";

export type PlansState =
  | { at: "loading" }
  /** `plans` is set when the preview failed: another plan can be chosen. */
  | { at: "failed"; problem: Problem; plans: Plan[] | null }
  | { at: "choosing" | "previewing"; plans: Plan[] }
  | { at: "previewed"; plans: Plan[]; plan: Plan; preview: PlanPreview };

export interface Plans {
  state: PlansState;
  retry: () => void;
  /** Loads the cost of a plan. */
  preview: (plan: Plan) => void;
  back: () => void;
}

/** The available plans and the preview of one of them. Read-only. */
export function usePlans(subscriptionId: string): Plans {
  const [state, setState] = useState<PlansState>({ at: "loading" });
  const isLoading = state.at === "loading";

  useEffect(() => {
    if (!isLoading) return;
    let isCurrent = true;
    void loadPlans(subscriptionId).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setState({ at: "choosing", plans: answer.value.plans });
      else setState({ at: "failed", problem: answer.problem, plans: null });
    });
    return () => {
      isCurrent = false;
    };
  }, [isLoading, subscriptionId]);

  const loadPreview = async (plan: Plan) => {
    if (state.at !== "choosing" && state.at !== "failed") return;
    const plans = state.plans ?? [];
    setState({ at: "previewing", plans });
    const answer = await previewPlan(subscriptionId, plan.price_id);
    if (answer.ok) setState({ at: "previewed", plans, plan, preview: answer.value });
    else setState({ at: "failed", problem: answer.problem, plans });
  };

  return {
    state,
    retry: () => setState({ at: "loading" }),
    preview: (plan) => void loadPreview(plan),
    back: () => state.at === "previewed" && setState({ at: "choosing", plans: state.plans }),
  };
}
