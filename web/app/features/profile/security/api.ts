import { type Answer, getJson, postJson, sendJson } from "~/lib/http/request";
import { asMember } from "~/lib/session/as-member";
import { withStepUp } from "~/lib/session/step-up";

export interface SecondFactor {
  enabled: boolean;
  /** The member's role needs a second factor. */
  required: boolean;
  recovery_codes_left: number;
}

/** Not in force until it is confirmed by a code. */
export interface Enrolment {
  /** Base32. */
  secret: string;
  /** `otpauth://…`, for the QR code. */
  uri: string;
}

export interface RecoveryCodes {
  /** The server shows them once. */
  recovery_codes: string[];
}

const PATH = "/api/account/second-factor";

export function loadSecondFactor(): Promise<Answer<SecondFactor>> {
  return asMember(getJson(PATH));
}

export function enrol(): Promise<Answer<Enrolment>> {
  return withStepUp(() => asMember(postJson(`${PATH}/enrol`)));
}

export function confirmEnrolment(code: string): Promise<Answer<RecoveryCodes>> {
  return asMember(postJson(`${PATH}/confirm`, { body: { code } }));
}

/** The earlier codes end. */
export function renewRecoveryCodes(): Promise<Answer<RecoveryCodes>> {
  return withStepUp(() => asMember(postJson(`${PATH}/recovery-codes`)));
}

export function turnOffSecondFactor(): Promise<Answer<null>> {
  return withStepUp(() => asMember(sendJson("DELETE", PATH)));
}
