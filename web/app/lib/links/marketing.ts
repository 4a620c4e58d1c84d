/** The marketing site: where terms, privacy and six of the languages live. Without one everything stays here. */
import { createContext, use } from "react";

const Marketing = createContext<string | null>(null);

export const MarketingProvider = Marketing.Provider;

export function useMarketingBaseUrl(): string | null {
  return use(Marketing);
}
