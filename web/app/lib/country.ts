import { getJson } from "./http/request";
import { local } from "./storage";

const STORAGE_KEY = "country";
const FALLBACK = "US";

/** The visitor's country: remembered, else asked for once. */
export async function visitorCountry(): Promise<string> {
  const remembered = local.get(STORAGE_KEY);
  if (remembered) return remembered;
  const answer = await getJson<{ countryCode: string }>("/api/country");
  if (!answer.ok || !answer.value.countryCode) return FALLBACK;
  local.set(STORAGE_KEY, answer.value.countryCode);
  return answer.value.countryCode;
}

export function knownCountry(): string {
  return local.get(STORAGE_KEY) ?? "";
}
