/** The texts of the withdrawal form, in a catalogue of their own. */
import type { WithdrawalTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<WithdrawalTexts>("../../../locales/withdrawal/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
