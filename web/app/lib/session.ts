import { useSyncExternalStore } from "react";
import { getJson, postJson } from "./http/request";

export interface User {
  user_id: string;
  fullName: string;
  email: string;
  isCoachingUser: boolean;
  isTherapyUser: boolean;
}

/** `unknown` until the browser has asked: pages are the same for everyone. */
export type Session = { state: "unknown" } | { state: "visitor" } | { state: "member"; user: User };

interface SessionBody {
  logged_in: boolean;
  user: User | null;
}

const UNKNOWN: Session = { state: "unknown" };
let current: Session = UNKNOWN;
let asked: Promise<Session> | null = null;
const listeners = new Set<() => void>();

export function setSession(session: Session): void {
  current = session;
  for (const listener of listeners) listener();
}

/** Asks once per page life. A gateway that does not answer leaves the visitor a visitor. */
export function askSession(): Promise<Session> {
  asked ??= getJson<SessionBody>("/api/auth/session").then((answer) => {
    const user = answer.ok && answer.value.logged_in ? answer.value.user : null;
    if (current.state === "unknown") setSession(user ? { state: "member", user } : { state: "visitor" });
    return current;
  });
  return asked;
}

export function signedIn(user: User): void {
  setSession({ state: "member", user });
}

export async function signOut(): Promise<boolean> {
  const answer = await postJson("/api/auth/logout");
  if (answer.ok) setSession({ state: "visitor" });
  return answer.ok;
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => UNKNOWN,
  );
}

export function currentUser(): User | null {
  return current.state === "member" ? current.user : null;
}

export function isLoggedIn(): boolean {
  return currentUser() !== null;
}
