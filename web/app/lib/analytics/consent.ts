/** The consent status of this visitor: from their choice, the browser's signal and the law of their country. */
import { useSyncExternalStore } from "react";
import { local } from "../browser/storage";
import { knownCountry, visitorCountry } from "../country";
import { isEuCountry } from "../links/legal";

export type Choice = "accepted" | "declined";

/** `unknown`: the country is not known. `open`: consent is required and not yet given. */
export type ConsentStatus = "unknown" | "open" | "granted" | "refused";

const STORAGE_KEY = "consent";
/** A choice is valid for half a year. */
const VALID_MS = 180 * 86_400_000;

export interface Visitor {
  country: string;
  choice: Choice | null;
  /** The browser sends Global Privacy Control or Do Not Track. */
  objects: boolean;
}

export function consentStatusOf({ country, choice, objects }: Visitor): ConsentStatus {
  if (objects) return "refused";
  if (choice) return choice === "accepted" ? "granted" : "refused";
  if (!country) return "unknown";
  return isEuCountry(country) || country === "TR" ? "open" : "granted";
}

/** The stored choice, as `accepted 1795219200000`, unless it is expired. */
export function readChoice(stored: string | null, now: number): Choice | null {
  const [choice, at] = stored?.split(" ") ?? [];
  if (choice !== "accepted" && choice !== "declined") return null;
  return now - Number(at) < VALID_MS ? choice : null;
}

const listeners = new Set<() => void>();
/** The choice on this page, for browsers without storage. */
let sessionChoice: Choice | null = null;
let isReopened = false;

export function choice(): Choice | null {
  return sessionChoice ?? readChoice(local.get(STORAGE_KEY), Date.now());
}

export function browserObjects(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return globalPrivacyControl === true || doNotTrack === "1";
}

export function consentStatus(): ConsentStatus {
  return consentStatusOf({ country: knownCountry(), choice: choice(), objects: browserObjects() });
}

export function choose(choice: Choice): void {
  sessionChoice = choice;
  isReopened = false;
  local.set(STORAGE_KEY, `${choice} ${Date.now()}`);
  notify();
}

/** Shows the consent bar again. */
export function reopenConsent(): void {
  isReopened = true;
  notify();
}

/** Loads the country if it is unknown. */
export function loadConsentCountry(): void {
  void visitorCountry().then(notify);
}

export function useConsentStatus(): ConsentStatus {
  return useSyncExternalStore(subscribe, consentStatus, () => "unknown");
}

/** Whether the consent bar is shown, and why. */
export function useConsentQuestion(): "none" | "asked" | "reopened" {
  return useSyncExternalStore(subscribe, consentQuestion, () => "none");
}

function consentQuestion() {
  if (isReopened) return "reopened";
  return consentStatus() === "open" ? "asked" : "none";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
