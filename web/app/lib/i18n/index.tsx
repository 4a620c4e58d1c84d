/** The interface texts in the language of the page. */
import { createContext, type ReactNode, use, useMemo } from "react";
import type { Locale } from "../locale";
import { type Catalogue, type Texts, textsOf } from "./text";

export type {
  AccountTexts,
  Catalogue,
  ConsentTexts,
  Journeys,
  PageTexts,
  SubscriptionTexts,
  TextKey,
  Texts,
  WithdrawalTexts,
} from "./text";

const Context = createContext<Texts | null>(null);

interface TextsProviderProps {
  locale: Locale;
  catalogue: Catalogue;
  children: ReactNode;
}

export function TextsProvider({ locale, catalogue, children }: TextsProviderProps) {
  const texts = useMemo(() => textsOf(locale, catalogue), [locale, catalogue]);
  return <Context value={texts}>{children}</Context>;
}

export function useTexts(): Texts {
  const texts = use(Context);
  if (!texts) throw new Error("useTexts is called outside of TextsProvider");
  return texts;
}
