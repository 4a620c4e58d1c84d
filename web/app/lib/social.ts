/** Sign-in providers. */
export type Provider = "apple" | "google" | "facebook";

/** A configured provider; both values are public. */
export interface ProviderSettings {
  clientId: string;
  /** Defines the provider's global; null: the provider's own script. */
  scriptUrl: string | null;
}

/** Proper names, the same in every language. */
export const PROVIDER_NAMES: Record<Provider, string> = { apple: "Apple", google: "Google", facebook: "Facebook" };
