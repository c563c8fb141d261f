/**
 * Sends requests at a fixed rate on average, due at the instants of a Poisson process, whatever the server does. A
 * latency counts from when the request was due, so a wait for a free connection counts too.
 *
 * Between events it looks at the clock instead of sleeping, because a timer's millisecond is more than most answers
 * take; that keeps a core busy. Where cores are scarce it may sleep: a latency then counts from when the request's
 * instant was noticed, a millisecond late at most on an idle machine.
 *
 *   node dist/scripts/bench/open-loop.js '{OpenLoopOptions}'
 *
 * `open-loop-run.ts` starts it, and says what the options and messages are. wrk has no rate, and autocannon adds the
 * requests that it could not send by calculation; here every request that was due is sent and measured.
 */
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { randomStream } from "../../pipeline/sources/random.ts";
import { scriptArgument } from "../support/script-options.ts";
import { AnswerSplitter } from "./answer-splitter.ts";
import type { OpenLoopMessage, OpenLoopOptions, OpenLoopWindow } from "./open-loop-run.ts";
import { readRequests } from "./raw-request.ts";

const options = JSON.parse(scriptArgument(import.meta.url)) as OpenLoopOptions;
const requests = readRequests(options.requestsFile);
const stream = randomStream(`open loop:${options.perSecond}`);
/** How long to wait for the last answers. */
const FINISH_MAX_MS = 10_000;
const FINISH_STEP_MS = 10;
/** Counted in place of a status where the server closed the connection. */
const NO_STATUS = 0;

const lanes: Lane[] = [];
const idle: Lane[] = [];
/** Requests that have no connection yet: since when their latencies count, oldest first. */
const waiting: number[] = [];
let latenciesMs: number[] = [];
let statuses: Record<number, number> = {};
let sent = 0;
let dueMs = 0;
let finishing = false;

/** A connection with at most one request under way. */
class Lane {
  readonly #socket: Socket;
  /** Since when its request's latency counts; Infinity while it has none. */
  sinceMs = Infinity;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    const splitter = new AnswerSplitter((status) => this.#answered(status));
    socket.on("data", (chunk) => splitter.add(chunk));
    socket.on("error", () => {}); // it is closed then
    socket.on("close", () => this.#lost());
  }

  send(sinceMs: number): void {
    this.sinceMs = sinceMs;
    this.#socket.write(requests[sent++ % requests.length]!); // there is at least one
  }

  #answered(status: number): void {
    latenciesMs.push(performance.now() - this.sinceMs);
    this.sinceMs = Infinity;
    statuses[status] = (statuses[status] ?? 0) + 1;
    const next = waiting.shift();
    if (next === undefined) idle.push(this);
    else this.send(next);
  }

  #lost(): void {
    const at = idle.indexOf(this);
    if (at >= 0) idle.splice(at, 1);
    if (this.sinceMs === Infinity) return;
    this.sinceMs = Infinity;
    statuses[NO_STATUS] = (statuses[NO_STATUS] ?? 0) + 1;
  }
}

/** Sends what is due by now. */
function turn(): void {
  if (finishing) return;
  const nowMs = performance.now();
  for (; dueMs <= nowMs; dueMs += gapMs()) {
    const sinceMs = options.sleeps ? nowMs : dueMs;
    const lane = idle.shift(); // in turn, because the server closes what stays idle for long
    if (lane === undefined) waiting.push(sinceMs);
    else lane.send(sinceMs);
  }
  if (options.sleeps) setTimeout(turn, Math.max(0, dueMs - nowMs));
  else setImmediate(turn);
}

/** Exponential, by inversion. */
function gapMs(): number {
  return (-Math.log(stream.uniform()) * 1000) / options.perSecond;
}

function endWindow(): void {
  const underWay = [...lanes.map(({ sinceMs }) => sinceMs), ...waiting].filter(Number.isFinite);
  const unansweredMs = Math.max(0, performance.now() - Math.min(...underWay));
  const window = { latenciesMs, statuses, unanswered: underWay.length, unansweredMs };
  process.send?.(window satisfies OpenLoopWindow);
  [latenciesMs, statuses] = [[], {}];
}

async function finish(): Promise<void> {
  finishing = true;
  const giveUpMs = performance.now() + FINISH_MAX_MS;
  const isUnderWay = () => waiting.length > 0 || lanes.some(({ sinceMs }) => sinceMs < Infinity);
  while (isUnderWay() && performance.now() < giveUpMs) await sleep(FINISH_STEP_MS);
  endWindow();
}

for (let each = 0; each < options.connections; each++) {
  const socket = createConnection({ host: "127.0.0.1", port: options.port });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  lanes.push(new Lane(socket));
}
idle.push(...lanes);
process.on("message", (message: OpenLoopMessage) => {
  if (message === "finish") void finish();
  else endWindow();
});
dueMs = performance.now();
turn();
