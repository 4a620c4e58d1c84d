/** The words of withdrawing from a contract, apart like those of journeys: a single page has them. */
import type { WithdrawalTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<WithdrawalTexts>("../../../locales/withdrawal/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
