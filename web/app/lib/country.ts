import { getJson } from "./http/request";
import { local } from "./storage";

const STORAGE_KEY = "country";
const FALLBACK = "US";

let asking: Promise<string> | null = null;

/** The visitor's country: remembered, else asked for once, however many want to know. */
export function visitorCountry(): Promise<string> {
  const remembered = local.get(STORAGE_KEY);
  if (remembered) return Promise.resolve(remembered);
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

async function ask(): Promise<string> {
  const answer = await getJson<{ countryCode: string }>("/api/country");
  if (!answer.ok || !answer.value.countryCode) return FALLBACK;
  local.set(STORAGE_KEY, answer.value.countryCode);
  return answer.value.countryCode;
}

export function knownCountry(): string {
  return local.get(STORAGE_KEY) ?? "";
}
