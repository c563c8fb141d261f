/** Load as fast as a server answers, from one thread: `wrk` where it is installed, else autocannon. */
import { spawn, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf } from "../support/child-processes.ts";
import { wrkScript } from "./wrk-script.ts";

export interface LoadOptions {
  readonly origin: string;
  /** As `writeRequests` makes it. */
  readonly requestsFile: string;
  readonly seconds: number;
  readonly connections: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly requests: number;
  /** Connections refused or cut, and answers that did not come in time. */
  readonly broken: number;
  /** Answers with a status of 400 or more. */
  readonly status400: number;
}

const AUTOCANNON = fileURLToPath(new URL("./autocannon-load.js", import.meta.url));
/** An answer that takes longer than this counts as broken. */
const TIMEOUT = "10s";

export type Generator = "wrk" | "autocannon";

/** The generator available on this machine. */
export function findGenerator(): Generator {
  return spawnSync("wrk", ["--version"]).error === undefined ? "wrk" : "autocannon";
}

export async function runLoad(generator: Generator, options: LoadOptions): Promise<LoadResult> {
  const output = await (generator === "wrk" ? wrk(options) : autocannon(options));
  const line = output.trim().split("\n").at(-1) ?? "";
  const counts = JSON.parse(line) as Record<Counted, number>;
  // The generators count no fault where nothing is answered: no answer is neither late nor wrong.
  if (counts.requests === 0) {
    const name = basename(options.requestsFile);
    throw new Error(`no request of "${name}" was answered, ${counts.broken} failed`);
  }
  return {
    perSecond: counts.requests / (counts.micros / 1e6),
    requests: counts.requests,
    broken: counts.broken,
    status400: counts.status400,
  };
}

type Counted = "requests" | "micros" | "broken" | "status400";

async function wrk(options: LoadOptions): Promise<string> {
  const { origin, requestsFile, seconds, connections } = options;
  const script = `${requestsFile}.lua`;
  writeFileSync(script, wrkScript(requestsFile));
  const duration = `${Math.ceil(seconds)}s`;
  const args = ["-t1", `-c${connections}`, `-d${duration}`, "--timeout", TIMEOUT, "-s", script];
  try {
    const child = spawn("wrk", [...args, origin], { stdio: ["ignore", "pipe", "pipe"] });
    return await outputOf(child, "wrk");
  } finally {
    rmSync(script);
  }
}

async function autocannon(options: LoadOptions): Promise<string> {
  const child = spawn(process.execPath, [AUTOCANNON, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  return await outputOf(child, "autocannon");
}
