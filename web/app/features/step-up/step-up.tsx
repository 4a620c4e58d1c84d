import { type ComponentType, useEffect, useState } from "react";
import { type StepUpRequest, useStepUpRequest } from "~/lib/session/step-up";

export interface StepUpDialogProps {
  request: StepUpRequest;
}

/** Shows the dialog while a call waits for a proof. A chunk of its own: most visits need none. */
export function StepUp() {
  const request = useStepUpRequest();
  const [Dialog, setDialog] = useState<ComponentType<StepUpDialogProps> | null>(null);

  useEffect(() => {
    if (!request || Dialog) return;
    import("./step-up-dialog").then(
      (chunk) => setDialog(() => chunk.StepUpDialog),
      () => request.settle(false),
    );
  }, [request, Dialog]);

  return request && Dialog ? <Dialog request={request} /> : null;
}
