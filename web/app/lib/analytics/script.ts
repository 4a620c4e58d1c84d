import { isSensitive } from "./sensitive";

let isLoaded = false;

/** Whether somebody else's script runs in this document and would see where it goes next. */
export function hasThirdPartyScript(): boolean {
  return isLoaded;
}

/** Once per document. What happened on sensitive pages before is taken out of its reach. */
export function loadThirdPartyScript(src: string): void {
  if (isLoaded) return;
  isLoaded = true;
  window.dataLayer = window.dataLayer?.filter(({ url }) => !isSensitive(String(url)));
  const script = document.createElement("script");
  script.src = src;
  script.async = true;
  document.head.append(script);
}
