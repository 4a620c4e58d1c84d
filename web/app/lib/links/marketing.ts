/** The marketing site has the terms, the privacy policy and six languages. Without one all links stay on this site. */
import { createContext, use } from "react";

const Marketing = createContext<string | null>(null);

export const MarketingProvider = Marketing.Provider;

export function useMarketingBaseUrl(): string | null {
  return use(Marketing);
}
