/** The texts of the subscription page, in a catalogue of their own. */
import type { SubscriptionTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<SubscriptionTexts>("../../../locales/subscription/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
