/** From the start of the process to its first answer, on a published snapshot. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMsOf, HINDSIGHT, watched } from "../support/child-processes.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { spreadText, type Bench, type PartResult, target } from "./part.ts";
import type { LoadRequest } from "./raw-request.ts";
import { recordAnswer, statusCodeOf } from "./recorded-answer.ts";
import { serveArgs } from "./servers.ts";
import { spreadOf } from "./spread.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { freePort } from "../support/free-port.ts";
import { SERVER_NODE_FLAGS } from "../cli/node-flags.ts";

const TIMES_PER_ROUND = 2;
const TRY_EVERY_MS = 2;
const GIVE_UP_MS = 30_000;

export async function start(bench: Bench): Promise<PartResult> {
  const { coins } = await readManifest(await currentSnapshot(bench.snapshots));
  const store = storeIn(bench.folder);
  const [account] = await makeAccounts(store, "load", 1);
  const request = { path: `/v1/signals?coin=${coins[0]!.ticker}`, key: account!.key };
  const times = bench.rounds * TIMES_PER_ROUND;
  const ours: Start[] = [];
  const nodeMs: number[] = [];
  for (let time = 1; time <= times; time++) {
    bench.progress(`start ${time} of ${times}`);
    nodeMs.push(await emptyNode());
    ours.push(await untilAnswered(request, (port) => serveArgs(bench.snapshots, store, port)));
  }
  const figures = {
    ours_ms: spreadOf(ours.map(({ tookMs }) => tookMs)),
    ours_cpu_ms: spreadOf(ours.map(({ cpuMs }) => cpuMs)),
    node_alone_ms: spreadOf(nodeMs),
  };
  return {
    title: "Start: from the process's start to its first 200, milliseconds",
    columns: ["", "time", "starts"],
    rows: [
      ["ours, GET /signals?coin", spreadText(figures.ours_ms, 0), String(times)],
      ["  of it CPU time, all threads", spreadText(figures.ours_cpu_ms, 0), String(times)],
      ["node alone, an empty program", spreadText(figures.node_alone_ms, 0), String(times)],
    ],
    notes: [
      "The files of the snapshot are in the system's cache, as after a run of the pipeline. Checksums are verified. Every process is",
      "started without NODE_EXTRA_CA_CERTS, for which Node takes some 45 ms before any program begins.",
    ],
    targets: [target("start to first answer, ms", { below: 500 }, figures.ours_ms.median)],
    figures,
  };
}

interface Start {
  readonly tookMs: number;
  /** CPU time until the first answer was seen. */
  readonly cpuMs: number;
}

/** What any program on this runtime costs. */
async function emptyNode(): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await new Promise((resolve) => child.on("close", resolve));
  return performance.now() - startedMs;
}

async function untilAnswered(
  request: LoadRequest,
  argsFor: (port: number) => readonly string[],
): Promise<Start> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = watched(
    spawn(process.execPath, [...SERVER_NODE_FLAGS, HINDSIGHT, ...argsFor(port)], {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  const ended = new Promise((resolve) => child.on("close", resolve));
  try {
    // Until it listens, requests are refused.
    const status = () => recordAnswer(port, request).then(statusCodeOf, () => 0);
    while ((await status()) !== 200) {
      if (performance.now() - startedMs > GIVE_UP_MS) throw new Error("it never answered");
      await sleep(TRY_EVERY_MS);
    }
    return { tookMs: performance.now() - startedMs, cpuMs: cpuMsOf(child.pid ?? 0) };
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}
