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

/** A user in either spelling of the responses. */
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

/** `unknown` until the session is loaded: cached HTML is the same for everyone. */
export type Session = { state: "unknown" } | { state: "visitor" } | { state: "member"; user: User };

interface SessionBody {
  logged_in: boolean;
  user: RawUser | null;
}

/** The gateway's readable cookie: a member was signed in at the last request. */
const MEMBER_COOKIE = "stillpoint_member=1";

/** An inline script before the first paint, so that members never see visitor content. Styles use the attribute. */
export const MARK_MEMBERS_SCRIPT = `if (document.cookie.includes("${MEMBER_COOKIE}")) document.documentElement.dataset.member = "";`;

const UNKNOWN: Session = { state: "unknown" };
/** Assumed while the gateway is slow. */
const ASSUMED_VISITOR: Session = { state: "visitor" };
let current: Session = UNKNOWN;
/** The session of a response that came after the timeout. */
let late: Session | null = null;
let pending: Promise<SessionRequest> | null = null;
const listeners = new Set<() => void>();

export function setSession(session: Session): void {
  current = session;
  globalThis.document?.documentElement.toggleAttribute("data-member", session.state === "member");
  for (const listener of listeners) listener();
}

interface SessionRequest {
  /** Resolves within `SESSION_TIMEOUT_MS`. */
  capped: Promise<Session>;
  /** Resolves with the response if the browser has the member cookie, else as `capped`. */
  answered: Promise<Session>;
}

/** Pages for members or visitors wait this long for the session. */
const SESSION_TIMEOUT_MS = 1_000;

/**
 * Loads the session once per page. Without a response in time it is a visitor's; a late response still makes a member of
 * the visitor, and `useSession` re-renders the page.
 */
export async function fetchSession(): Promise<Session> {
  return (await requestOnce()).capped;
}

/**
 * For calls whose result depends on the member: their offer, their order, their payment. With the member cookie they
 * wait for the response itself. `anew` loads the session again without affecting other callers.
 */
export async function fetchAnsweredSession({ anew = false } = {}): Promise<Session> {
  const request = anew ? loadSession() : await requestOnce();
  return request.answered;
}

function requestOnce(): Promise<SessionRequest> {
  pending ??= Promise.resolve(loadSession());
  return pending;
}

function loadSession(): SessionRequest {
  const response = requestSession();
  const timeout = new Promise<Session>((resolve) => {
    setTimeout(() => {
      if (current.state === "unknown") setSession(ASSUMED_VISITOR);
      resolve(current);
    }, SESSION_TIMEOUT_MS);
  });
  const capped = Promise.race([response, timeout]);
  return { capped, answered: hasMemberCookie() ? response : capped };
}

function hasMemberCookie(): boolean {
  return document.cookie.includes(MEMBER_COOKIE);
}

async function requestSession(): Promise<Session> {
  const answer = await getJson<SessionBody>("/api/auth/session");
  if (!answer.ok) console.warn("Session request failed:", answer.problem.code);
  const user = answer.ok && answer.value.logged_in && answer.value.user;
  const isLate = current === ASSUMED_VISITOR;
  if (!isLate && current.state !== "unknown") return current;
  const session: Session = user ? { state: "member", user: userOf(user) } : { state: "visitor" };
  if (isLate) late = session;
  setSession(session);
  return session;
}

/** The session is loaded after a running token sign-in, unless it is known by then. */
export function awaitSignIn(signIn: Promise<unknown>): void {
  pending = signIn.then(() => (current.state === "unknown" ? loadSession() : knownSession()));
}

function knownSession(): SessionRequest {
  const known = Promise.resolve(current);
  return { capped: known, answered: known };
}

/** Whether this session comes from a response after the timeout, not from a sign-in on this page. */
export function isLateResponse(session: Session): boolean {
  return session === late;
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

/** What the page shows already: the cookie decides until the gateway responds. */
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
