/** Those who may say who somebody is. */
export type Provider = "apple" | "google" | "facebook";

/** One of them as it is configured; both facts are public. */
export interface ProviderSettings {
  clientId: string;
  /** Defines the provider's global; none: the provider's own script. */
  scriptUrl: string | null;
}

/** The names they go by, in every language. */
export const PROVIDER_NAMES: Record<Provider, string> = { apple: "Apple", google: "Google", facebook: "Facebook" };
