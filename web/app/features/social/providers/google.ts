/** Sign in with Google: the button and its window are Google's. */
import { loadGlobal } from "~/lib/browser/load-script";
import type { ProviderSettings } from "~/lib/social";
import { claimsOf } from "./claims";
import type { GooglePayload } from "./provider-result";

interface GoogleId {
  initialize: (config: object) => void;
  renderButton: (container: HTMLElement, look: object) => void;
}

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleId } };
  }
}

export interface GoogleRequest {
  clientId: string;
  nonce: string;
  onCredential: (token: string) => void;
}

export interface GoogleButtonStyle {
  text: "signin_with" | "signup_with";
  theme: "outline" | "filled_black";
  width: number;
  locale: string;
}

/** Google's maximum width. */
const MAX_WIDTH = 400;

export async function openGoogle({ scriptUrl }: ProviderSettings): Promise<GoogleId> {
  return loadGlobal(scriptUrl ?? "https://accounts.google.com/gsi/client", () => window.google?.accounts?.id);
}

export function initGoogle(id: GoogleId, { clientId, nonce, onCredential }: GoogleRequest): void {
  id.initialize({
    client_id: clientId,
    nonce,
    callback: ({ credential }: { credential: string }) => onCredential(credential),
    ux_mode: "popup",
    auto_select: false,
  });
}

export function drawGoogle(id: GoogleId, container: HTMLElement, look: GoogleButtonStyle): void {
  container.replaceChildren();
  id.renderButton(container, {
    ...look,
    width: Math.min(Math.round(look.width), MAX_WIDTH),
    type: "standard",
    size: "large",
    shape: "pill",
    logo_alignment: "center",
  });
}

export function googlePayload(token: string): GooglePayload {
  const { given_name = "", email = "", sub = "", picture = "", name = "" } = claimsOf(token);
  return { name: given_name, email, googleID: sub, picturePath: picture, fullName: name, token };
}
