/**
 * Sends requests to a server on this machine, one at a time on each connection. It sends them as fast as they are
 * answered, or at a fixed mean rate, at the instants of a Poisson process, whatever the server does. At a rate, a latency
 * counts from when the request was due, so that a wait for a free connection counts too.
 *
 * Between the instants of a rate it looks at the clock instead of sleeping, because a timer's millisecond is more than
 * most answers take. That keeps a core busy. Where cores are scarce it can sleep: a latency then counts from when the
 * instant was noticed, which is a millisecond late at most on an idle machine.
 *
 *   node dist/scripts/bench/load-generator.js '{LoadOptions}'
 *
 * `load.ts` starts it and describes the options and messages.
 */
import { readFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parentChannel } from "../../aside/channel.ts";
import { randomStream } from "../../pipeline/sources/random.ts";
import { scriptArgument } from "../support/script-options.ts";
import type { LoadOptions, LoadWindow } from "./load.ts";

const options = JSON.parse(scriptArgument(import.meta.url)) as LoadOptions;
const { perSecond, sleeps = false, reconnects = false } = options;
const texts = JSON.parse(readFileSync(options.requestsFile, "utf8")) as string[];
const requests = texts.map((text) => Buffer.from(text, "latin1"));
const stream = randomStream(`open loop:${perSecond}`);
/** How long to wait for the last answers. */
const FINISH_MAX_MS = 10_000;
const FINISH_STEP_MS = 10;
/** The status that is counted if the server closed the connection. */
const NO_STATUS = 0;
const HEAD_END = "\r\n\r\n";
const STATUS_AT = "HTTP/1.1 ".length;

const lanes: Lane[] = [];
const idle: Lane[] = [];
/** For each request that waits for a connection, the instant from which its latency counts, oldest first. */
const waiting: number[] = [];
let latenciesMs: number[] = [];
let statuses: Record<number, number> = {};
let sent = 0;
let dueMs = 0;
let windowMs = 0;
let finishing = false;

/** A connection with at most one request under way. */
class Lane {
  readonly #socket: Socket;
  #head = "";
  #status = NO_STATUS;
  /** Bytes of the answer's body that are still to come. */
  #missing = 0;
  /** The instant from which the latency of its request counts; Infinity while it has none. */
  sinceMs = Infinity;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", () => {}); // it is closed then
    socket.on("close", () => this.#lost());
  }

  send(sinceMs: number): void {
    this.sinceMs = sinceMs;
    this.#socket.write(requests[sent++ % requests.length]!); // there is at least one
  }

  /** An answer without `Content-Length` has no body (304). Chunked answers are not supported. */
  #take(chunk: Buffer): void {
    if (this.#missing > 0) this.#missing -= chunk.length;
    else {
      this.#head += chunk.toString("latin1");
      const headEnd = this.#head.indexOf(HEAD_END);
      if (headEnd < 0) return;
      this.#status = Number(this.#head.slice(STATUS_AT, STATUS_AT + 3));
      const length = /content-length: *(\d+)/i.exec(this.#head.slice(0, headEnd))?.[1] ?? 0;
      this.#missing = headEnd + HEAD_END.length + Number(length) - this.#head.length;
      this.#head = "";
    }
    if (this.#missing <= 0) this.#answered();
  }

  #answered(): void {
    statuses[this.#status] = (statuses[this.#status] ?? 0) + 1;
    const nowMs = performance.now();
    if (perSecond !== null) latenciesMs.push(nowMs - this.sinceMs);
    this.sinceMs = Infinity;
    this.next(nowMs);
  }

  /** Sends what is due, or waits until something is. */
  next(nowMs: number): void {
    const next = perSecond === null && !finishing ? nowMs : waiting.shift();
    if (next === undefined) idle.push(this);
    else this.send(next);
  }

  #lost(): void {
    for (const list of [idle, lanes]) {
      const at = list.indexOf(this);
      if (at >= 0) list.splice(at, 1);
    }
    if (this.sinceMs < Infinity) statuses[NO_STATUS] = (statuses[NO_STATUS] ?? 0) + 1;
    this.sinceMs = Infinity;
    if (reconnects && !finishing)
      opened().then(
        (lane) => lane.next(performance.now()),
        () => {},
      );
  }
}

async function opened(): Promise<Lane> {
  const socket = createConnection({ host: "127.0.0.1", port: options.port });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const lane = new Lane(socket);
  lanes.push(lane);
  return lane;
}

/** Sends what is due by now at this rate, again and again. */
function turn(rate: number): void {
  if (finishing) return;
  const nowMs = performance.now();
  // The time to the next is exponential, by inversion.
  for (; dueMs <= nowMs; dueMs -= (Math.log(stream.uniform()) * 1000) / rate) {
    const sinceMs = sleeps ? nowMs : dueMs;
    const lane = idle.shift(); // in turn, because the server closes what stays idle for long
    if (lane === undefined) waiting.push(sinceMs);
    else lane.send(sinceMs);
  }
  if (sleeps) setTimeout(turn, Math.max(0, dueMs - nowMs), rate);
  else setImmediate(turn, rate);
}

function begin(): void {
  dueMs = windowMs = performance.now();
  if (perSecond !== null) turn(perSecond);
  else for (const lane of idle.splice(0)) lane.send(dueMs);
}

function endWindow(): LoadWindow {
  const nowMs = performance.now();
  const underWay = [...lanes.map(({ sinceMs }) => sinceMs), ...waiting].filter(Number.isFinite);
  const window = {
    latenciesMs,
    statuses,
    tookMs: nowMs - windowMs,
    unanswered: underWay.length,
    unansweredMs: Math.max(0, nowMs - Math.min(...underWay)),
  };
  [latenciesMs, statuses, windowMs] = [[], {}, nowMs];
  return window;
}

async function finish(): Promise<LoadWindow> {
  finishing = true;
  const giveUpMs = performance.now() + FINISH_MAX_MS;
  const isUnderWay = () => waiting.length > 0 || lanes.some(({ sinceMs }) => sinceMs < Infinity);
  while (isUnderWay() && performance.now() < giveUpMs) await sleep(FINISH_STEP_MS);
  return endWindow();
}

for (let each = 0; each < options.connections; each++) await opened();
idle.push(...lanes);
parentChannel({
  finish,
  window() {
    if (dueMs === 0) begin();
    return endWindow();
  },
});
