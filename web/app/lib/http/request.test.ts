import { afterEach, describe, expect, it, vi } from "vitest";
import { NETWORK_FAILURE, postJson } from "./request";

const answerWith = (response: Response | Error) =>
  vi.stubGlobal("fetch", async () => {
    if (response instanceof Error) throw response;
    return response;
  });

describe("a call to the gateway", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("returns the value of a successful response", async () => {
    answerWith(Response.json({ a: 1 }));
    expect(await postJson("/x")).toEqual({ ok: true, status: 200, value: { a: 1 } });
  });

  it("parses problem+json", async () => {
    const errors = [{ field: "email", code: "TAKEN", message: "…" }];
    answerWith(Response.json({ code: "R100", detail: "Exists.", errors }, { status: 409 }));
    expect(await postJson("/x")).toEqual({
      ok: false,
      problem: { status: 409, code: "R100", detail: "Exists.", errors, retryAfterSecs: null },
    });
  });

  it("has the wait that the server demands", async () => {
    const headers = { "retry-after": "600" };
    answerWith(Response.json({ code: "TOO_MANY_ATTEMPTS", detail: "Wait." }, { status: 429, headers }));
    expect(await postJson("/x")).toMatchObject({ problem: { status: 429, retryAfterSecs: 600 } });
  });

  it("parses the payment envelope the same way", async () => {
    answerWith(Response.json({ status: false, code: "IDEMPOTENCY_CONFLICT", message: "Other body." }, { status: 409 }));
    expect(await postJson("/x")).toMatchObject({ problem: { code: "IDEMPOTENCY_CONFLICT", detail: "Other body." } });
  });

  it("reads the code of the data envelope, and the further fields of a refusal in either place", async () => {
    const envelope = { data: { challenge: "chl_1" }, error: "A code is needed.", error_code: "SECOND_FACTOR_REQUIRED" };
    answerWith(Response.json(envelope, { status: 401 }));
    expect(await postJson("/x")).toMatchObject({ problem: { code: "SECOND_FACTOR_REQUIRED", challenge: "chl_1" } });
    answerWith(Response.json({ code: "STEP_UP_REQUIRED", methods: ["password", "code"] }, { status: 403 }));
    expect(await postJson("/x")).toMatchObject({ problem: { methods: ["password", "code"] } });
  });

  it.each([
    ["no network", new Error("offline")],
    ["no JSON", new Response("<html>", { status: 200 })],
  ])("is a network failure with %s", async (_, response) => {
    answerWith(response);
    expect(await postJson("/x")).toMatchObject({ ok: false, problem: { status: 0, code: NETWORK_FAILURE } });
  });

  it.each([202, 204])("succeeds without a body: %i", async (status) => {
    answerWith(new Response(null, { status }));
    expect(await postJson("/x")).toEqual({ ok: true, status, value: null });
  });
});
