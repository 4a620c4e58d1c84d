import { useSyncExternalStore } from "react";
import { getJson, postJson } from "../http/request";

export interface User {
  user_id: string;
  fullName: string;
  email: string;
  isCoachingUser: boolean;
  isTherapyUser: boolean;
}

type Flag = boolean | number | string | null | undefined;

/** A user as our calls or those of the lab spell one. */
export interface RawUser {
  user_id?: string;
  userID?: string;
  fullName?: string;
  fullname?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  isCoachingUser?: Flag;
  coachingready?: Flag;
  isTherapyUser?: Flag;
  istherapyuser?: Flag;
}

/** `unknown` until the browser has asked: pages are the same for everyone. */
export type Session = { state: "unknown" } | { state: "visitor" } | { state: "member"; user: User };

interface SessionBody {
  logged_in: boolean;
  user: RawUser | null;
}

/** The gateway's cookie that scripts may read: somebody was signed in when it was last asked. */
const MEMBER_COOKIE = "stillpoint_member=1";

/** Runs before the first paint, so that members never see the page of a visitor. Styles go by the attribute. */
export const MARK_MEMBERS_SCRIPT = `if (document.cookie.includes("${MEMBER_COOKIE}")) document.documentElement.dataset.member = "";`;

const UNKNOWN: Session = { state: "unknown" };
/** Until the gateway answers, which takes long. */
const ASSUMED_VISITOR: Session = { state: "visitor" };
let current: Session = UNKNOWN;
let pending: Promise<Session> | null = null;
const listeners = new Set<() => void>();

export function setSession(session: Session): void {
  current = session;
  globalThis.document?.documentElement.toggleAttribute("data-member", session.state === "member");
  for (const listener of listeners) listener();
}

/** Asks once per page life. `anew` asks by itself, for whom the others wait. */
export function fetchSession({ anew = false } = {}): Promise<Session> {
  if (anew) return loadSession();
  pending ??= loadSession();
  return pending;
}

/** Pages that are for members or for visitors wait no longer than this for the answer. */
const SESSION_TIMEOUT_MS = 1_000;

/** A gateway that does not answer leaves the visitor a visitor. A browser with the mark of a member waits for the answer. */
function loadSession(): Promise<Session> {
  const answered = requestSession();
  if (hasMemberCookie()) return answered;
  const waited = new Promise<Session>((resolve) => {
    setTimeout(() => {
      if (current.state === "unknown") setSession(ASSUMED_VISITOR);
      resolve(current);
    }, SESSION_TIMEOUT_MS);
  });
  return Promise.race([answered, waited]);
}

function hasMemberCookie(): boolean {
  return document.cookie.includes(MEMBER_COOKIE);
}

async function requestSession(): Promise<Session> {
  const answer = await getJson<SessionBody>("/api/auth/session");
  if (!answer.ok) console.warn("Who is here could not be asked:", answer.problem.code);
  const user = answer.ok && answer.value.logged_in && answer.value.user;
  // A member whose answer took long is a member all the same.
  const isOpen = current.state === "unknown" || current === ASSUMED_VISITOR;
  if (isOpen) setSession(user ? { state: "member", user: userOf(user) } : { state: "visitor" });
  return current;
}

/** Whoever asks who is here waits for somebody who has just arrived. */
export function awaitSignIn(arrival: Promise<unknown>): void {
  pending = arrival.then(() => (current.state === "unknown" ? loadSession() : current));
}

export function setMember(user: RawUser): void {
  setSession({ state: "member", user: userOf(user) });
}

export async function signOut(path = "/api/auth/logout"): Promise<boolean> {
  const answer = await postJson(path);
  if (answer.ok) setSession({ state: "visitor" });
  return answer.ok;
}

export function userOf(user: RawUser): User {
  return {
    user_id: user.user_id ?? user.userID ?? "",
    fullName: user.fullName ?? user.fullname ?? [user.firstName, user.lastName].filter(Boolean).join(" "),
    email: user.email ?? "",
    isCoachingUser: isTrueFlag(user.isCoachingUser ?? user.coachingready),
    isTherapyUser: isTrueFlag(user.isTherapyUser ?? user.istherapyuser),
  };
}

function isTrueFlag(flag: Flag): boolean {
  return /true|1/.test(`${flag}`);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => UNKNOWN,
  );
}

/** What the page shows already: until the gateway has answered, what the mark says. */
export function useIsMember(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => "member" in document.documentElement.dataset,
    () => false,
  );
}

export function currentUser(): User | null {
  return current.state === "member" ? current.user : null;
}

export function isLoggedIn(): boolean {
  return currentUser() !== null;
}
