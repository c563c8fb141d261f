import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { HINDSIGHT } from "../../support/built-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("uncaught");
const THROWS = new URL("../../support/throws-when-told.mjs", import.meta.url).href;
const LIMIT_MS = 20_000;

test("an uncaught failure is logged and ends the server in order, with exit 1", async () => {
  const places = ["--snapshots", folder, "--state", join(folder, "state.db"), "--job-threads", "0"];
  const args = ["serve", "--port", "0", "--metrics-port", "none", ...places];
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, ["--import", THROWS, HINDSIGHT, ...args], {
    stdio: [...stdio],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout!.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const ended = once(child, "close");
  await vi.waitUntil(() => said.includes('"listening"'), { timeout: LIMIT_MS });
  const port = Number(/"origin":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(said)![1]);
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
  const closed = once(socket, "close");
  socket.write("POST /v1/overfitting HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{");
  // By the time it answers another, it has the beginning of this request.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  for (let times = 1; times <= 2; times++) {
    child.kill("SIGUSR2");
    const logged = () => said.match(/^.*nobody caught this.*$/gm)?.length === times;
    await vi.waitUntil(logged, { timeout: LIMIT_MS });
  }
  socket.write("}");
  await closed;
  expect(heard).toContain("HTTP/1.1 503");
  expect(await ended).toEqual([1, null]);
  expect(JSON.parse(/^.*nobody caught this.*$/m.exec(said)![0])).toMatchObject({
    level: 60,
    err: { message: "nobody caught this", stack: expect.stringContaining("throws-when-told") },
    msg: "a failure that nothing caught: the process ends",
  });
});
