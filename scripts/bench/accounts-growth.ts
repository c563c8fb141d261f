/** Reads while a thousand and while a million accounts exist, with the same number of them active. */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { randomStream } from "../../pipeline/sources/random.ts";
import { readManifest } from "../../snapshots/read-manifest.ts";
import type { ChildServer } from "../support/child-server.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { GROWTH_COLUMNS, growthRow, growthTarget, measureGrowth, residentMib } from "./growth.ts";
import { runOpenLoop } from "./open-loop-run.ts";
import { countText, type Bench, type PartResult } from "./part.ts";
import { startOurs } from "./servers.ts";
import { makeState } from "./state-file.ts";
import { writeRequests } from "./raw-request.ts";

const SMALL = 1_000;
const LARGE = 1_000_000;
const LARGE_QUICK = 100_000;
/** Nearly as many keys as the server remembers. */
const MANY_ACTIVE = 100_000;
/** Each account calls once before anything is measured, because its first call costs more than later ones. */
const FIRST_CALLS_PER_SECOND = 4_000;
const REQUESTS_MIN = 1_000;

export async function accountsGrowth(bench: Bench): Promise<PartResult> {
  const accounts = bench.quick ? LARGE_QUICK : LARGE;
  const small = await filled(bench, "small", SMALL);
  const fillStartedMs = performance.now();
  const large = await filled(bench, "large", accounts);
  const fillSeconds = (performance.now() - fillStartedMs) / 1000;
  const { coins } = await readManifest(await currentSnapshot(bench.snapshots));
  const path = `/v1/buy-hold?coin=${coins[0]?.ticker ?? ""}`;
  const draw = randomStream("accounts");
  const loadOf = (name: string, keys: readonly string[], active: number) => {
    const chosen = shuffled(keys, () => draw.uniform()).slice(0, active);
    const count = Math.max(REQUESTS_MIN, active);
    const requests = Array.from({ length: count }, (_, n) => ({ path, key: chosen[n % active]! }));
    return writeRequests(join(bench.folder, `${name}-${active}`), requests);
  };
  const [onSmall, onLarge] = [
    await startOurs(bench.snapshots, small),
    await startOurs(bench.snapshots, large),
  ];
  try {
    const pair = (activeSmall: number, activeLarge: number) => ({
      name: `${countText(activeSmall)} active of ${countText(SMALL)}, ${countText(activeLarge)} active of ${countText(accounts)}`,
      small: { server: onSmall, requestsFile: loadOf("small", small.keys, activeSmall) },
      large: { server: onLarge, requestsFile: loadOf("large", large.keys, activeLarge) },
    });
    const pairs = [pair(1, 1), pair(SMALL, SMALL), pair(SMALL, MANY_ACTIVE)];
    const firstCalls = await callEachOnce(onLarge, pairs[2]!.large.requestsFile); // made just above
    const figures = await measureGrowth(bench, pairs);
    const memory = { small: residentMib(onSmall), large: residentMib(onLarge) };
    return {
      title: `Growth of accounts: GET /buy-hold with ${countText(SMALL)} and ${countText(accounts)} accounts in the state`,
      columns: GROWTH_COLUMNS,
      rows: figures.map(growthRow),
      notes: [
        `State of ${countText(accounts)} accounts: ${Math.round(statSync(large.state).size / 2 ** 20)} MiB, filled in ${fillSeconds.toFixed(0)} s. ` +
          `Resident memory after the loads: ${memory.small} and ${memory.large} MiB.`,
        `The first call of each of ${countText(MANY_ACTIVE)} accounts, at ${countText(FIRST_CALLS_PER_SECOND)} a second: ${firstCalls.cpu_us.toFixed(0)} us of CPU, ` +
          `p99 ${firstCalls.p99_ms.toFixed(1)} ms, ${firstCalls.failed} failed. They are no part of the last line.`,
      ],
      targets: figures.map(growthTarget),
      figures: { accounts, pairs: figures, first_calls: firstCalls, resident_mib: memory },
    };
  } finally {
    await Promise.all([onSmall.stop(), onLarge.stop()]);
  }
}

/** Sends the requests of a file in turn at a fixed rate, and returns what each cost the server. */
async function callEachOnce(server: ChildServer, file: string) {
  const before = server.cpuMs() ?? NaN;
  const { requests, failed, p99_ms } = await runOpenLoop({
    port: server.port,
    requestsFile: file,
    perSecond: FIRST_CALLS_PER_SECOND,
    warmSeconds: 0,
    seconds: MANY_ACTIVE / FIRST_CALLS_PER_SECOND,
    connections: 64,
    status: 200,
    sleeps: true,
  });
  if (failed > 0) throw new Error(`${failed} of ${requests} first calls failed`);
  return { cpu_us: (((server.cpuMs() ?? NaN) - before) * 1000) / requests, p99_ms, failed };
}

async function filled(bench: Bench, name: string, accounts: number) {
  bench.progress(`making ${countText(accounts)} accounts`);
  const folder = join(bench.folder, name);
  mkdirSync(folder);
  return await makeState(folder, accounts);
}

/** Fisher and Yates: every order is equally likely. */
function shuffled<T>(values: readonly T[], uniform: () => number): T[] {
  const list = [...values];
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(uniform() * (last + 1));
    [list[last], list[other]] = [list[other]!, list[last]!]; // both indexes are in range
  }
  return list;
}
