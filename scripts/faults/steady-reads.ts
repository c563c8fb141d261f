/** A thread that reads at a fixed rate and answers, when asked, with how long its reads took. */
import { parentPort, workerData } from "node:worker_threads";
import { JsonClient } from "./json-client.ts";

export interface SteadyReadsOptions {
  readonly origin: string;
  readonly key: string;
  readonly perSecond: number;
}

const TICK_MS = 2;
const CONNECTIONS = 16;
const PATHS = ["/v1/signals?coin=btc", "/v1/buy-hold?coin=eth", "/v1/dca?coin=btc&amount=100"];

const port = parentPort;
if (port === null) throw new Error("this file is a thread's");

const { origin, key, perSecond } = workerData as SteadyReadsOptions;
const client = new JsonClient(CONNECTIONS);
const startedMs = performance.now();
let sent = 0;
let took: number[] = [];
let failed = 0;

/** A read that is due. Its time counts from when it was due, not from when there was a connection for it. */
async function read(dueMs: number): Promise<void> {
  const path = PATHS[sent++ % PATHS.length] ?? "";
  try {
    const { status } = await client.send({ origin, path, key });
    if (status === 200) took.push(performance.now() - dueMs);
    else failed++;
  } catch {
    failed++;
  }
}

const timer = setInterval(() => {
  const nowMs = performance.now();
  while (startedMs + (sent * 1000) / perSecond <= nowMs) {
    void read(startedMs + (sent * 1000) / perSecond);
  }
}, TICK_MS);

port.on("message", (word: "report" | "end") => {
  port.postMessage({ took, failed });
  took = [];
  failed = 0;
  if (word === "report") return;
  clearInterval(timer);
  client.close();
  port.close();
});
