/** Calls of the gateway from the browser. Failures are values; callers choose the message. */

export interface FieldFault {
  field: string;
  code: string;
  message: string;
}

export interface Problem {
  status: number;
  code: string;
  detail: string;
  errors: FieldFault[];
  /** From the `retry-after` header. */
  retryAfterSecs: number | null;
  /** Ways to step up, of `STEP_UP_REQUIRED`. */
  methods?: string[] | undefined;
  /** Names the sign-in that a second factor completes, of `SECOND_FACTOR_REQUIRED`. */
  challenge?: string | undefined;
}

export type Answer<T> = { ok: true; status: number; value: T } | { ok: false; problem: Problem };

export const NETWORK_FAILURE = "NETWORK_FAILURE";

interface RequestOptions {
  /** A string is sent unchanged, with the content type from `headers`. */
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

export function getJson<T>(path: string, headers: Record<string, string> = {}): Promise<Answer<T>> {
  return sendJson<T>("GET", path, { headers });
}

export function postJson<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  return sendJson<T>("POST", path, options);
}

export async function sendJson<T>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  try {
    const response = await fetch(path, {
      method,
      headers: { accept: "application/json", "content-type": "application/json", ...options.headers },
      body: typeof options.body === "string" ? options.body : JSON.stringify(options.body),
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
    const sent = await response.text();
    const body: unknown = sent === "" ? null : JSON.parse(sent);
    if (!response.ok) return { ok: false, problem: asProblem(response, body) };
    return { ok: true, status: response.status, value: body as T };
  } catch {
    return { ok: false, problem: { status: 0, code: NETWORK_FAILURE, detail: "", errors: [], retryAfterSecs: null } };
  }
}

/** Parses problem+json and both envelopes: all have a code and a message; envelopes keep further fields in `data`. */
function asProblem({ status, headers }: Response, body: unknown): Problem {
  const fields = record(body);
  const details = { ...fields, ...record(fields.data) };
  return {
    status,
    code: text(fields.code) ?? text(fields.error_code) ?? `HTTP_${status}`,
    detail: text(fields.detail) ?? text(fields.message) ?? "",
    errors: Array.isArray(fields.errors) ? (fields.errors as FieldFault[]) : [],
    retryAfterSecs: Number.parseInt(headers.get("retry-after") ?? "", 10) || null,
    methods: Array.isArray(details.methods) ? details.methods.map(String) : undefined,
    challenge: text(details.challenge) ?? undefined,
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
