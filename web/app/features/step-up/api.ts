import { type Answer, postJson } from "~/lib/http/request";
import { asMember } from "~/lib/session/as-member";

export interface Proof {
  password: string;
  /** Of accounts with a second factor. */
  code?: string;
}

export function sendProof(body: Proof): Promise<Answer<null>> {
  return asMember(postJson("/api/account/step-up", { body }));
}
