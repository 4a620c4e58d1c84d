/**
 * The texts of payment, gifts and AI, which most pages do not need. A module that uses them imports this one, and its
 * chunk waits for them. The server has all texts.
 */
import type { Journeys } from ".";
import { joinTexts } from "./catalogues.client";

// The glob is here, because the server reads from this chunk's imports which texts to send along.
const folder = import.meta.glob<Journeys>("../../../locales/journeys/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
