/** The words about one's subscription, apart like those of journeys: a single page has them. */
import type { SubscriptionTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<SubscriptionTexts>("../../../locales/subscription/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
