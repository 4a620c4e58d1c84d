/** What comes of asking a provider who somebody is. */
export interface ApplePayload {
  lang: string;
  email: string;
  appleID: string;
  token: string;
  /** Apple tells it once in a lifetime. */
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

/** What the texts about providers explain. */
export type ProviderFault = "notLoaded" | "blocked" | "refused" | "emailMissing" | "emailUnverified" | "unavailable";
/** What can go wrong with every call. */
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
