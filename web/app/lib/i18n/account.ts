/** The words of signing up, signing in and one's account, apart like those of journeys. */
import type { AccountTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<AccountTexts>("../../../locales/account/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
