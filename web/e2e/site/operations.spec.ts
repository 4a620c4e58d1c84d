import { readFileSync } from "node:fs";
import { expect, test } from "../support/stillpoint.ts";

const pidFile = process.env.WEB_PID_FILE;
test.skip(!pidFile, "WEB_PID_FILE does not say which process renders the pages");

test("with the renderer gone, pages once shown are still shown, and others are excused politely", async ({
  request,
}) => {
  const pid = Number(readFileSync(pidFile ?? "", "utf8").split(" ")[0]);
  const before = await request.get("/en/");
  expect(before.status()).toBe(200);

  process.kill(pid, "SIGKILL");
  await expect.poll(() => isRunning(pid)).toBe(false);

  const cached = await request.get("/en/");
  expect(cached.status()).toBe(200);
  expect(await cached.text()).toBe(await before.text());

  const never = await request.get(`/de/never-shown-${crypto.randomUUID()}/`);
  expect(never.status()).toBe(503);
  expect(never.headers()["content-type"]).toContain("text/html");
  expect(never.headers()["retry-after"]).toBeTruthy();
});

function isRunning(pid: number): boolean {
  // A zombie has ended; its parent has not collected it yet.
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
