/** What a connection costs the server's process in memory, idle and in use. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readManifest } from "../../snapshots/read-manifest.ts";
import type { ChildServer } from "../support/child-server.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { measureLoad } from "./measured-load.ts";
import { type Bench, type PartResult } from "./part.ts";
import { RawConnection } from "./raw-connection.ts";
import { rawRequest, type LoadRequest, writeRequests } from "./raw-request.ts";
import { mixedReads } from "./read-cases.ts";
import { recordAnswer, type RecordedAnswer } from "./recorded-answer.ts";
import { startAlternative, startBare, startOurs } from "./servers.ts";
import { makeState } from "./state-file.ts";

const REQUESTS = 1_000;
const COUNTS = [1_000, 5_000];
/** Connections are made in groups, so that none has to wait in the listener's queue. */
const GROUP = 100;
const WARM_SECONDS = 3;
const SETTLE_MS = 500;
const ANSWER_MAX_MS = 10_000;
/** How many requests each connection sends in the active case. */
const ACTIVE_REQUESTS = 5;

interface Held {
  readonly name: string;
  readonly connections: number;
  readonly idleBytes: number;
  readonly activeBytes: number;
}

export async function connectionsMemory(bench: Bench): Promise<PartResult> {
  const dir = await currentSnapshot(bench.snapshots);
  const { coins } = await readManifest(dir);
  const state = await makeState(bench.folder, 1);
  const requests = mixedReads(coins, state.keys, REQUESTS);
  const file = writeRequests(join(bench.folder, "mixed"), requests);
  const ours = await startOurs(bench.snapshots, state);
  const answers: RecordedAnswer[] = [];
  try {
    for (const each of requests.slice(0, GROUP)) answers.push(await recordAnswer(ours.port, each));
  } catch (error) {
    await ours.stop();
    throw error;
  }
  const servers: readonly (readonly [string, () => Promise<ChildServer>])[] = [
    ["ours", () => Promise.resolve(ours)],
    ["bare", () => startBare(bench.folder, { mixed: answers })],
    ["Fastify", () => startAlternative(bench.folder, dir, state)],
  ];
  const held: Held[] = [];
  for (const [name, open] of servers) {
    const server = await open();
    try {
      bench.progress(`connections to ${name}`);
      await measureLoad(server, { ...bench, requestsFile: file, seconds: WARM_SECONDS });
      for (const count of COUNTS) held.push(await measureHeld(name, server, requests, count));
    } finally {
      await server.stop();
    }
  }
  return resultOf(held);
}

async function measureHeld(
  name: string,
  server: ChildServer,
  requests: readonly LoadRequest[],
  count: number,
): Promise<Held> {
  await sleep(SETTLE_MS);
  const before = server.residentBytes() ?? NaN;
  const clients = await connect(server.port, count);
  try {
    await sendOnAll(clients, requests, 1);
    await sleep(SETTLE_MS);
    const idle = server.residentBytes() ?? NaN;
    await sendOnAll(clients, requests, ACTIVE_REQUESTS);
    const active = server.residentBytes() ?? NaN;
    const each = (bytes: number) => Math.max(0, (bytes - before) / count);
    return { name, connections: count, idleBytes: each(idle), activeBytes: each(active) };
  } finally {
    closeAll(clients);
    await sleep(SETTLE_MS);
  }
}

async function connect(port: number, count: number): Promise<RawConnection[]> {
  const clients: RawConnection[] = [];
  while (clients.length < count) {
    const length = Math.min(GROUP, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length }, () => RawConnection.open(port)))));
  }
  return clients;
}

/** Sends one request on every connection at once, and again once all are answered. */
async function sendOnAll(
  clients: readonly RawConnection[],
  requests: readonly LoadRequest[],
  times: number,
): Promise<void> {
  const texts = requests.map(rawRequest);
  for (let time = 0; time < times; time++) {
    // A connection that is closed rejects the request that waits on it.
    const giveUp = setTimeout(() => closeAll(clients), ANSWER_MAX_MS);
    const answers = clients.map(
      (client, index) => client.send(texts[(index + time) % texts.length]!), // there is at least one
    );
    try {
      const refused = (await Promise.all(answers)).find(({ status }) => status !== 200);
      if (refused) throw new Error(`a request was answered ${refused.status}`);
    } finally {
      clearTimeout(giveUp);
    }
  }
}

function closeAll(clients: readonly RawConnection[]): void {
  for (const client of clients) client.close();
}

function resultOf(held: readonly Held[]): PartResult {
  const kib = (bytes: number) => (bytes / 1024).toFixed(1);
  return {
    title: "Memory of a connection: growth of the server's resident memory / connections, KiB",
    columns: ["", "connections", "idle", "in use at once"],
    rows: held.map(({ name, connections, idleBytes, activeBytes }) => [
      name,
      String(connections),
      kib(idleBytes),
      kib(activeBytes),
    ]),
    notes: [
      "idle: after one request each. in use: after bursts of a request on every connection at once. Memory of the kernel for",
      "sockets is not in it; memory that the process had free from before is, so that 0 means: no more than was there.",
    ],
    targets: [],
    figures: {
      held: held.map((each) => ({
        server: each.name,
        connections: each.connections,
        idle_bytes: each.idleBytes,
        active_bytes: each.activeBytes,
      })),
    },
  };
}
