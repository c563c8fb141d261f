/** From the start of the process to its first answer, on a published snapshot. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { SERVER_NODE_FLAGS } from "../../cli/node-flags.ts";
import { ask } from "../support/ask.ts";
import { endOf, HINDSIGHT, watched } from "../support/child-processes.ts";
import { freePort } from "../support/free-port.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { inRounds, spreadOf, target, type Bench, type PartResult } from "./part.ts";
import { serveArgs } from "./servers.ts";

const TIMES_PER_ROUND = 2;
const TRY_EVERY_MS = 2;
const GIVE_UP_MS = 30_000;

export async function start(bench: Bench): Promise<PartResult> {
  const { coins } = await readManifest(await currentSnapshot(bench.snapshots));
  const store = storeIn(bench.folder);
  const [account] = await makeAccounts(store, "load", 1);
  const path = `/v1/signals?coin=${coins[0]!.ticker}`;
  const times = { ...bench, rounds: TIMES_PER_ROUND * bench.rounds };
  const tookMs = await inRounds(times, "a start", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${path}`;
    return await untilAnswered(serveArgs(bench.snapshots, store, port), url, account!.key);
  });
  const ms = spreadOf(tookMs);
  return {
    title: "Start: from the process's start to its first 200, milliseconds",
    rows: [{ "": "GET /signals?coin", time: ms, starts: times.rounds }],
    notes: [
      "The files of the snapshot are in the system's cache, as after a run of the pipeline. Checksums are verified. Every process is",
      "started without NODE_EXTRA_CA_CERTS, for which Node takes some 45 ms before any program begins.",
    ],
    targets: [target("start to first answer, ms", { below: 500 }, ms.median)],
  };
}

/** How long a server takes until its first 200. */
async function untilAnswered(args: readonly string[], url: string, key: string): Promise<number> {
  const startedMs = performance.now();
  const child = watched(
    spawn(process.execPath, [...SERVER_NODE_FLAGS, HINDSIGHT, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  // Until it listens, requests are refused.
  while (
    !(await ask(url, { key }).then(
      ({ status }) => status === 200,
      () => false,
    ))
  ) {
    if (performance.now() - startedMs > GIVE_UP_MS) throw new Error("it never answered");
    await sleep(TRY_EVERY_MS);
  }
  const tookMs = performance.now() - startedMs;
  child.kill("SIGTERM");
  await endOf(child);
  return tookMs;
}
