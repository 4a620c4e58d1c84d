import { isSensitive } from "./sensitive";

let isLoaded = false;

/** Whether a third-party script runs in this document and could observe navigation. */
export function hasThirdPartyScript(): boolean {
  return isLoaded;
}

/** Once per document. Events of sensitive pages are removed from `dataLayer` first. */
export function loadThirdPartyScript(src: string): void {
  if (isLoaded) return;
  isLoaded = true;
  window.dataLayer = window.dataLayer?.filter(({ url }) => !isSensitive(String(url)));
  const script = document.createElement("script");
  script.src = src;
  script.async = true;
  document.head.append(script);
}
