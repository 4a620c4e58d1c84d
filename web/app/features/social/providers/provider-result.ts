/** The result of a provider's sign-in. */
export interface ApplePayload {
  lang: string;
  email: string;
  appleID: string;
  token: string;
  /** Apple sends it only once. */
  name?: string;
}

export interface GooglePayload {
  name: string;
  email: string;
  googleID: string;
  picturePath: string;
  fullName: string;
  token: string;
}

export interface FacebookPayload {
  name: string;
  email: string;
  facebookID: string;
  token: string;
}

export type Payload = ApplePayload | GooglePayload | FacebookPayload;

/** Faults with a text about the provider. */
export type ProviderFault =
  | "notLoaded"
  | "blocked"
  | "refused"
  | "emailMissing"
  | "emailUnverified"
  | "accountMissing"
  | "unavailable";
/** Faults of any call. */
export type OwnFault = "network" | "tooMany" | "generic";
export type Fault = ProviderFault | OwnFault;

export function isOwnFault(fault: Fault): fault is OwnFault {
  return fault === "network" || fault === "tooMany" || fault === "generic";
}

export type ProviderResult =
  | { kind: "payload"; payload: Payload }
  | { kind: "cancelled" }
  | { kind: "failed"; fault: Fault };

export const CANCELLED: ProviderResult = { kind: "cancelled" };
export const failed = (fault: Fault): ProviderResult => ({ kind: "failed", fault });
