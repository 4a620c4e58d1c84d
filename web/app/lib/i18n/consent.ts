/** The words that ask for consent, apart like those of journeys: most are never asked. */
import type { ConsentTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<ConsentTexts>("../../../locales/consent/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
