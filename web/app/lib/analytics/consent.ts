/** Whether this visitor may be recognised: by their own word, their browser's, and the law of where they are. */
import { useSyncExternalStore } from "react";
import { local } from "../browser/storage";
import { knownCountry, visitorCountry } from "../country";
import { isEuCountry } from "../links/legal";

export type Choice = "accepted" | "declined";

/** `unknown` while nobody knows the country; `open` where nobody may be recognised before they have said so. */
export type ConsentStatus = "unknown" | "open" | "granted" | "refused";

const STORAGE_KEY = "consent";
/** A choice holds for half a year, then it is asked for again. */
const VALID_MS = 180 * 86_400_000;

export interface Visitor {
  country: string;
  choice: Choice | null;
  /** The browser says for them that they do not want to be followed. */
  objects: boolean;
}

export function consentStatusOf({ country, choice, objects }: Visitor): ConsentStatus {
  if (objects) return "refused";
  if (choice) return choice === "accepted" ? "granted" : "refused";
  if (!country) return "unknown";
  return isEuCountry(country) || country === "TR" ? "open" : "granted";
}

/** What is remembered as `accepted 1795219200000`, unless it is too long ago. */
export function readChoice(stored: string | null, now: number): Choice | null {
  const [choice, at] = stored?.split(" ") ?? [];
  if (choice !== "accepted" && choice !== "declined") return null;
  return now - Number(at) < VALID_MS ? choice : null;
}

const listeners = new Set<() => void>();
/** What was said in this page's life, for browsers that remember nothing. */
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

/** Shows the question again, to whoever wants to change their mind. */
export function reopenConsent(): void {
  isReopened = true;
  notify();
}

/** Finds out where the visitor is, if nobody knows. */
export function loadConsentCountry(): void {
  void visitorCountry().then(notify);
}

export function useConsentStatus(): ConsentStatus {
  return useSyncExternalStore(subscribe, consentStatus, () => "unknown");
}

/** Whether the question stands on the screen, and why. */
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
