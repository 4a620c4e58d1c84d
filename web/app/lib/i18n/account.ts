/** The texts of sign-up, sign-in and profile, in a catalogue of their own like the journeys'. */
import type { AccountTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<AccountTexts>("../../../locales/account/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
