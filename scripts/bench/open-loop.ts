/**
 * Sends requests at a fixed rate on average, due at the instants of a Poisson process, whatever the server does. A
 * latency counts from when the request was due: if no connection is free, its wait counts too.
 *
 * Between events it looks at the clock instead of sleeping, because a timer's millisecond is more than most answers
 * take. So it keeps one core busy. Where only longer pauses matter it may sleep; then a latency counts from when the
 * request's instant was noticed, and the result says how late that was.
 *
 *   node dist/scripts/bench/open-loop.js '{OpenLoopOptions}'
 *
 * Prints one line of JSON. `open-loop-run.ts` starts it, and says what the options and the result are.
 *
 * Why no ready-made tool: wrk has no rate, and autocannon's `overallRate` starts requests when its own clock ticks and
 * adds those it could not send by calculation, in whole milliseconds. Here every request that was due is sent and
 * measured.
 */
import { createConnection, type Socket } from "node:net";
import { randomStream } from "../../pipeline/sources/random.ts";
import { AnswerSplitter } from "./answer-splitter.ts";
import { poissonArrivals } from "./arrivals.ts";
import type { OpenLoopOptions, OpenLoopResult } from "./open-loop-run.ts";
import { readRequests } from "./raw-request.ts";
import { percentile } from "./spread.ts";
import { scriptArgument } from "../support/script-options.ts";

/** How long to wait for answers after the last request was due. */
const GIVE_UP_MS = 10_000;

const options = JSON.parse(scriptArgument(import.meta.url)) as OpenLoopOptions;
const requests = readRequests(options.requestsFile);
const stream = randomStream(`open loop:${options.perSecond}`);
const seconds = options.warmSeconds + options.seconds;
const due = poissonArrivals(options.perSecond, seconds, () => stream.uniform());

/** The instant from which each latency counts. */
const sinceMs = Float64Array.from(due);
const latencies = new Float64Array(due.length).fill(NaN);
let nextDue = 0;
let nextSent = 0;
let answered = 0;
let failed = 0;
let sentLateMs = 0;

class Client {
  readonly #socket: Socket;
  #request = -1;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    const splitter = new AnswerSplitter((status) => this.#onAnswer(status));
    socket.on("data", (chunk) => splitter.add(chunk));
    socket.on("close", () => this.#lost());
    socket.on("error", () => this.#lost());
  }

  send(index: number): void {
    this.#request = index;
    this.#socket.write(requests[index % requests.length]!); // there is at least one
  }

  end(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.destroy();
  }

  #onAnswer(status: number): void {
    const index = this.#request;
    this.#request = -1;
    // `index` is that of a request that was sent.
    latencies[index] = performance.now() - startedMs - sinceMs[index]!;
    answered++;
    if (status !== options.status) failed++;
    if (nextSent < nextDue) this.send(nextSent++);
    else idle.push(this);
  }

  #lost(): void {
    if (this.#request < 0) return;
    this.#request = -1;
    answered++;
    failed++;
  }
}

const idle: Client[] = [];
for (let each = 0; each < options.connections; each++) {
  const socket = createConnection({ host: "127.0.0.1", port: options.port });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  idle.push(new Client(socket));
}
const clients = [...idle];

const startedMs = performance.now();
const giveUpMs = seconds * 1000 + GIVE_UP_MS;

function turn(): void {
  const nowMs = performance.now() - startedMs;
  for (; nextDue < due.length && due[nextDue]! <= nowMs; nextDue++) {
    if (options.sleeps) sinceMs[nextDue] = nowMs;
  }
  while (nextSent < nextDue && idle.length > 0) {
    sentLateMs = Math.max(sentLateMs, nowMs - due[nextSent]!);
    idle.shift()?.send(nextSent++); // in turn, because a connection left idle for ten seconds is closed
  }
  if (answered === due.length || nowMs > giveUpMs) report();
  else if (options.sleeps) setTimeout(turn, 1);
  else setImmediate(turn);
}
turn();

function report(): void {
  for (const client of clients) client.end();
  const measured = latencies.filter(
    (latency, index) => due[index]! >= options.warmSeconds * 1000 && !Number.isNaN(latency),
  );
  if (measured.length === 0) throw new Error(`none of ${due.length} requests was answered`);
  measured.sort();
  const result: OpenLoopResult = {
    requests: due.length,
    failed: failed + due.length - answered,
    p50_ms: percentile(measured, 0.5),
    p99_ms: percentile(measured, 0.99),
    p999_ms: percentile(measured, 0.999),
    max_ms: percentile(measured, 1),
    sent_late_max_ms: sentLateMs,
  };
  console.log(JSON.stringify(result));
}
