import { type Answer, getJson, postJson, sendJson } from "~/lib/http/request";
import { asMember } from "~/lib/session/as-member";
import { withStepUp } from "~/lib/session/step-up";

export interface Profile {
  fullname: string;
  email: string;
}

export interface Device {
  id: string;
  /** Empty when unknown. */
  browser: string;
  system: string;
  last_seen_at: string | null;
  is_current: boolean;
}

export interface Erasure {
  erasure_id: string;
  finished_at: string | null;
  services: { service: string; erased_at: string | null }[];
}

/** The export collects from every service. */
const EXPORT_TIMEOUT_MS = 60_000;

export function loadProfile(): Promise<Answer<Profile>> {
  return asMember(getJson<Profile>("/api/profile"));
}

export interface ProfileChange {
  fullname: string;
  email: string;
  password: string;
}

export interface SavedProfile extends Profile {
  /** The new address that a link was mailed to; the profile keeps the old one until the link is used. */
  pendingEmail?: string | null;
}

export function saveProfile(body: ProfileChange): Promise<Answer<SavedProfile>> {
  return withStepUp(() => asMember(sendJson<SavedProfile>("PUT", "/api/profile", { body })));
}

export function confirmEmail(token: string): Promise<Answer<null>> {
  return postJson("/api/auth/confirm-email", { body: { token } });
}

export function loadDevices(): Promise<Answer<{ devices: Device[] }>> {
  return asMember(getJson("/api/auth/devices"));
}

export function signOutDevice(id: string): Promise<Answer<null>> {
  return asMember(sendJson("DELETE", `/api/auth/devices/${encodeURIComponent(id)}`));
}

export function exportData(): Promise<Answer<object>> {
  return withStepUp(() => asMember(sendJson("GET", "/api/account/export", { timeoutMs: EXPORT_TIMEOUT_MS })));
}

export function eraseAccount(password: string): Promise<Answer<{ erasure_id: string }>> {
  return withStepUp(() => asMember(postJson("/api/account/erasure", { body: { password } })));
}

export function loadErasure(id: string): Promise<Answer<Erasure>> {
  return getJson(`/api/account/erasures/${encodeURIComponent(id)}`);
}
