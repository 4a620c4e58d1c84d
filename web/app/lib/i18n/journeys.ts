/**
 * The words of paying, giving and asking the AI: most pages have no use for them. Whoever shows them imports this, and its
 * chunk then waits for them. On the server all words are there.
 */
import type { Journeys } from ".";
import { joinTexts } from "./catalogues.client";

// Here and not with the pages': it is by what this chunk asks for that the server knows whose words to send along.
const folder = import.meta.glob<Journeys>("../../../locales/journeys/*.json", { import: "default" });

if (!import.meta.env.SSR) await joinTexts(folder);
