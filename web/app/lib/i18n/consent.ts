/** The texts of the consent bar, in a catalogue of their own: most visitors never see it. */
import type { ConsentTexts } from ".";
import { joinTexts } from "./catalogues.client";

const folder = import.meta.glob<ConsentTexts>("../../../locales/consent/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
