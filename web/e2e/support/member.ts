/** Members: sign-up by the API, and their subscriptions. */
import type { BrowserContext, Page } from "@playwright/test";
import { subscriptionsOf } from "./outside.ts";
import { expect } from "./stillpoint.ts";

export interface Member {
  name: string;
  email: string;
  password: string;
}

export function newPerson(): Member {
  const id = crypto.randomUUID();
  // As long as people's addresses are: it stands on one line of a phone.
  return { name: "Ada Quiet", email: `ada-${id.slice(24)}@example.org`, password: `calm-${id}` };
}

/** Makes an account and signs this browser in, without any page. */
export async function join(context: BrowserContext, who = newPerson()): Promise<Member> {
  const { name, email, password } = who;
  const member = { name, email, password };
  const answer = await context.request.post("/api/auth/register", { data: member });
  expect(answer.status()).toBe(201);
  return member;
}

export async function statusOf(member: Page | BrowserContext) {
  return (await subscriptionsOf(member.request)).map(({ status }) => status);
}
