/**
 * Sends the requests of one account at a steady rate, in a process of its own. It does as little as it can: the
 * request is bytes made beforehand, on connections that stay open. Requests are due at the instants of a Poisson
 * process, whatever the server does. For each message it replies with the latencies and statuses since the message
 * before. It fails if it loses a connection.
 *
 * It sleeps between requests, to leave its core to others. So a latency counts from when the request's instant was
 * noticed: on an idle machine a millisecond late at most. From then on everything counts, also waiting for a
 * connection.
 *
 *   node dist/scripts/faults/steady-probe.js '{SteadyProbeOptions}'
 *
 * `steady-probe-process.ts` starts it and says what the options are.
 */
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { randomStream } from "../../pipeline/sources/random.ts";
import { AnswerSplitter } from "../bench/answer-splitter.ts";
import { rawRequest } from "../bench/raw-request.ts";
import type { ProbeMessage, SteadyProbeOptions, SteadyWindow } from "./steady-probe-process.ts";
import { scriptArgument } from "../support/script-options.ts";

const options = JSON.parse(scriptArgument(import.meta.url)) as SteadyProbeOptions;
const request = Buffer.from(rawRequest(options), "latin1");
const stream = randomStream("steady probe");
/** How long to wait for the last answers. */
const FINISH_MAX_MS = 5_000;
const FINISH_STEP_MS = 10;
const lanes: Lane[] = [];
const idle: Lane[] = [];
/** For requests that have no connection yet: when their instants were noticed, oldest first. */
let waiting: number[] = [];
let latenciesMs: number[] = [];
let statuses: Record<number, number> = {};
let dueMs = 0;
let finishing = false;

/** A connection with at most one request under way. */
class Lane {
  readonly #socket: Socket;
  /** When its request's instant was noticed; Infinity while it has none. */
  sinceMs = Infinity;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    const splitter = new AnswerSplitter((status) => this.#answered(status));
    socket.on("data", (chunk) => splitter.add(chunk));
    socket.on("error", (error) => {
      throw error;
    });
    socket.on("close", () => {
      throw new Error("the server closed a connection");
    });
  }

  send(sinceMs: number): void {
    this.sinceMs = sinceMs;
    this.#socket.write(request);
  }

  #answered(status: number): void {
    latenciesMs.push(performance.now() - this.sinceMs);
    this.sinceMs = Infinity;
    statuses[status] = (statuses[status] ?? 0) + 1;
    const next = waiting.shift();
    if (next === undefined) idle.push(this);
    else this.send(next);
  }
}

/** Sends what is due by now. */
function turn(): void {
  if (finishing) return;
  const nowMs = performance.now();
  for (; dueMs <= nowMs; dueMs += gapMs()) {
    const lane = idle.shift(); // in turn, because the server closes what stays idle for long
    if (lane === undefined) waiting.push(nowMs);
    else lane.send(nowMs);
  }
  setTimeout(turn, Math.max(0, dueMs - nowMs));
}

/** Exponential, by inversion. */
function gapMs(): number {
  return (-Math.log(stream.uniform()) * 1000) / options.perSecond;
}

for (let each = 0; each < options.connections; each++) {
  const socket = createConnection({ host: "127.0.0.1", port: options.port });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  lanes.push(new Lane(socket));
}
idle.push(...lanes);

function endWindow(): void {
  // Those that wait for a connection were noticed after those that have one.
  const oldestMs = Math.min(...lanes.map(({ sinceMs }) => sinceMs));
  const unansweredMs = Math.max(0, performance.now() - oldestMs);
  process.send?.({ latenciesMs, statuses, unansweredMs } satisfies SteadyWindow);
  [latenciesMs, statuses] = [[], {}];
}

async function finish(): Promise<void> {
  finishing = true;
  const giveUpMs = performance.now() + FINISH_MAX_MS;
  while (idle.length < lanes.length && performance.now() < giveUpMs) await sleep(FINISH_STEP_MS);
  endWindow();
}

process.on("message", (message: ProbeMessage) => {
  if (message === "finish") void finish();
  else endWindow();
});
dueMs = performance.now();
turn();
