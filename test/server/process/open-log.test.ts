import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openLog } from "../../../server/process/open-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("log");
/** From the build, because the process is started from a file. */
const OPEN_LOG = new URL("../../../dist/server/process/open-log.js", import.meta.url).href;

/** Runs a program that has a log, with this as its standard output, to its end. */
async function run(work: string, output: number | "pipe", { hasReader = true } = {}) {
  const program = `
    const { openLog, flushLog } = await import(${JSON.stringify(OPEN_LOG)});
    const log = openLog({ level: "info" });
    ${work}`;
  const args = ["--input-type=module", "-e", program];
  const child = spawn(process.execPath, args, { stdio: ["ignore", output, "pipe"] });
  if (!hasReader) child.stdout?.destroy();
  let text = "";
  child.stdout?.on("data", (bytes: Buffer) => (text += bytes.toString()));
  let failures = "";
  child.stderr!.on("data", (bytes: Buffer) => (failures += bytes.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text, failures };
}

const numbersIn = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

describe("a log", () => {
  test("takes keys out of its lines, and names the process", () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const log = openLog({ level: "info", process: "jobs", stream });
    log.info({ path: "/v1/hs%5flive_abc123" }, "asked with hs_live_abc123");
    expect(JSON.parse(lines[0]!)).toMatchObject({
      process: "jobs",
      path: "/v1/hs_live_...",
      msg: "asked with hs_live_...",
    });
  });

  const MANY = `for (let n = 0; n < 1000; n++) log.info(String(n));`;
  const written = Array.from({ length: 1000 }, (_, n) => String(n));

  test.each(["process.exit(0)", "flushLog(); process.kill(process.pid, 'SIGKILL')"])(
    "has all lines in a pipe at the end of its program: %s",
    async (end) => {
      const { text } = await run(`${MANY} ${end};`, "pipe");
      expect(numbersIn(text)).toEqual(written);
    },
  );

  test("has all lines in a file", async () => {
    const file = join(folder, "log");
    const output = openSync(file, "w");
    await run(`${MANY} process.exit(0);`, output);
    closeSync(output);
    expect(numbersIn(readFileSync(file, "utf8"))).toEqual(written);
  });

  test("outlives the reader of its pipe", async () => {
    const later = `await new Promise((done) => setTimeout(done, 50));`;
    const work = `${MANY} ${later} ${MANY} process.exit(5);`;
    const { code, failures } = await run(work, "pipe", { hasReader: false });
    expect([code, failures]).toEqual([5, ""]);
  });

  test.runIf(process.platform === "linux")("outlives a full disk", async () => {
    const full = openSync("/dev/full", "w");
    const later = `await new Promise((done) => setTimeout(done, 50));`;
    const { code, failures } = await run(`${MANY} ${later} ${MANY} process.exit(5);`, full);
    closeSync(full);
    expect([code, failures]).toEqual([5, ""]);
  });
});
