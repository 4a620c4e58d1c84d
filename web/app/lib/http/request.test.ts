import { afterEach, describe, expect, it, vi } from "vitest";
import { NETWORK_FAILURE, postJson } from "./request";

const answerWith = (response: Response | Error) =>
  vi.stubGlobal("fetch", async () => {
    if (response instanceof Error) throw response;
    return response;
  });

describe("a call to the gateway", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("is an answer when it went well", async () => {
    answerWith(Response.json({ a: 1 }));
    expect(await postJson("/x")).toEqual({ ok: true, value: { a: 1 } });
  });

  it("reads problem+json", async () => {
    const errors = [{ field: "email", code: "TAKEN", message: "…" }];
    answerWith(Response.json({ code: "R100", detail: "Exists.", errors }, { status: 409 }));
    expect(await postJson("/x")).toEqual({
      ok: false,
      problem: { status: 409, code: "R100", detail: "Exists.", errors },
    });
  });

  it("reads the payment envelope the same way", async () => {
    answerWith(Response.json({ status: false, code: "IDEMPOTENCY_CONFLICT", message: "Other body." }, { status: 409 }));
    expect(await postJson("/x")).toMatchObject({ problem: { code: "IDEMPOTENCY_CONFLICT", detail: "Other body." } });
  });

  it.each([
    ["no network", new Error("offline")],
    ["no JSON", new Response("<html>", { status: 200 })],
  ])("is a network failure with %s", async (_, response) => {
    answerWith(response);
    expect(await postJson("/x")).toMatchObject({ ok: false, problem: { status: 0, code: NETWORK_FAILURE } });
  });

  it("needs no body to have gone well", async () => {
    answerWith(new Response(null, { status: 204 }));
    expect(await postJson("/x")).toEqual({ ok: true, value: null });
  });
});
