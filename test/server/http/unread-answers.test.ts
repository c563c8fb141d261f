import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { listen, type HttpServer } from "../../../server/http/socket.ts";
import type { Reply } from "../../../server/http/reply.ts";
import { isLast, isWatched } from "../../../server/http/unread-answers.ts";
import { SharedBody } from "../../../server/http/shared-body.ts";
import { EchoHandler, requestText } from "../../support/echo-handler.ts";

const MEGABYTE = 1024 * 1024;
/** More than the system takes for a connection that nobody reads, on any machine. */
const LONGER_THAN_SOCKETS = 48 * MEGABYTE;
const REQUESTS = 500;

/** Far more than the system takes for a connection that nobody reads. */
const PAID = 200;
const MINUTE = { limit: PAID, remaining: 0, resetSeconds: 60, windowSeconds: 60 };

/** Answers at half a megabyte and more of an account that has asked for two in its minute. */
const LARGE = 24;

/**
 * `/long` answers more than a connection takes, `/page` a fifth of a megabyte, `/short` a kilobyte; `/paid` a page that an
 * account has paid for, `/large` five times as much, and `/refused` a kilobyte to an account above its minute.
 */
class LongHandler extends EchoHandler {
  answered = 0;
  readonly #bodies: Record<string, Buffer> = {
    "/long": Buffer.alloc(LONGER_THAN_SOCKETS, "0123456789abcdefghijklmnopq"),
    "/page": Buffer.alloc(MEGABYTE / 5, "p"),
    "/short": Buffer.alloc(1024, "s"),
  };
  readonly #page = new SharedBody("p".repeat(MEGABYTE / 5));
  readonly #large = new SharedBody("l".repeat(MEGABYTE));
  refused = 0;
  /** How many requests of the minute a large answer says there were. */
  large = 2;

  override handle(exchange: Parameters<EchoHandler["handle"]>[0]): void {
    if (exchange.request.path === "/paid") {
      this.answered += 1;
      const shared = this.#page;
      exchange.send({ status: "200 OK", headers: "", minute: MINUTE, shared, tail: "~" });
      return;
    }
    if (exchange.request.path === "/large") {
      this.answered += 1;
      const minute = { ...MINUTE, remaining: PAID - this.large };
      exchange.send({ status: "200 OK", headers: "", minute, shared: this.#large, tail: "~" });
      return;
    }
    if (exchange.request.path === "/refused") {
      this.refused += 1;
      const body = "r".repeat(1024);
      const code = "rate_limited";
      exchange.send({ status: "429 Too Many Requests", headers: "", minute: MINUTE, code, body });
      return;
    }
    const body = this.#bodies[exchange.request.path];
    if (body === undefined) throw new Error(`no body for ${exchange.request.path}`);
    this.answered += 1;
    exchange.send({ status: "200 OK", headers: "", body } satisfies Reply);
    if (exchange.request.path === "/long") body.fill("?"); // the memory is everybody's
  }
}

let handler: LongHandler;
let server: HttpServer;
let socket: Socket | undefined;
beforeAll(async () => {
  handler = new LongHandler();
  server = await listen("127.0.0.1", 0, () => handler);
});
afterEach(() => socket?.destroy());
afterAll(() => server.close());

/** Sends text and reads nothing until it is told to. */
async function silent(text: string): Promise<Socket> {
  const connection = connect(server.port, "127.0.0.1");
  socket = connection;
  connection.pause();
  connection.on("error", () => {}); // the server ends it
  await new Promise<void>((resolve) => connection.write(text, () => resolve()));
  return connection;
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("an answer that its client does not read", () => {
  test("waits for it, counts as in flight, and arrives whole", async () => {
    const connection = await silent(requestText("GET /long"));
    while (server.inFlight() === 0) await turn();
    let bytes = 0;
    let foreign = 0;
    connection.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunk.includes("?")) foreign += 1;
    });
    connection.resume();
    while (server.inFlight() > 0) await turn();
    const isWhole = () => bytes >= LONGER_THAN_SOCKETS;
    while (!isWhole()) await turn();
    expect(foreign, "bytes of another answer").toBe(0);
  });

  test("is forgotten when its client leaves", async () => {
    const connection = await silent(requestText("GET /long"));
    while (server.inFlight() === 0) await turn();
    connection.destroy();
    while (server.inFlight() > 0) await turn();
    expect(server.inFlight()).toBe(0);
  });

  test.each([
    ["long ones", "/page", REQUESTS],
    ["many short ones", "/short", 40 * REQUESTS],
  ] as const)("is the last of its connection: %s", async (_, path, requests) => {
    const before = handler.answered;
    const answered = () => handler.answered - before;
    const connection = await silent("");
    const packet = requestText(`GET ${path}`).repeat(REQUESTS);
    // A packet at a time: a request line that is cut would end the connection too.
    for (let sent = 0; sent < requests && server.connections() > 0; sent += REQUESTS) {
      connection.write(packet);
      while (answered() < sent + REQUESTS && server.connections() > 0) await turn();
    }
    expect(answered()).toBeLessThan(requests);
    expect(server.connections()).toBe(0);
    expect(server.inFlight()).toBe(0);
  });

  test("is the last of its connection also where answers have no body", async () => {
    const before = handler.answered;
    const connection = await silent("");
    const packet = requestText("HEAD /short").repeat(REQUESTS);
    let sent = 0;
    for (; sent < 400 * REQUESTS && server.connections() > 0; sent += REQUESTS) {
      connection.write(packet);
      const isAnswered = () => handler.answered - before >= sent + REQUESTS;
      while (!isAnswered() && server.connections() > 0) await turn();
    }
    expect(server.connections()).toBe(0);
  });

  test("says that it is the last, where it has no body and its client reads", async () => {
    const connection = await silent("");
    const closed = new Promise((resolve) => connection.once("close", resolve));
    const texts: string[] = [];
    connection.on("data", (chunk: Buffer) => {
      texts.push(chunk.toString("latin1"));
      connection.write(requestText("HEAD /short"));
    });
    connection.write(requestText("HEAD /short"));
    connection.resume();
    await closed;
    expect(texts.filter((text) => text.includes("Connection: close"))).toEqual([texts.at(-1)]);
  });

  /** Reads everything, and tells how many of the pages that were paid for have come. */
  function reading(connection: Socket): () => number {
    let pages = 0;
    connection.on("data", (chunk: Buffer) => {
      for (const byte of chunk) if (byte === "~".charCodeAt(0)) pages += 1;
    });
    connection.resume();
    return () => pages;
  }

  test.each([
    ["pages", "/paid", PAID],
    ["large ones, where the minute's cannot fill the memory", "/large", LARGE],
  ])(
    "is kept where an account has paid for it, and all before it and behind it: %s",
    async (_, path, count) => {
      const before = handler.answered;
      const connection = await silent(requestText(`GET ${path}`).repeat(count));
      while (handler.answered - before < count) await turn();
      const pages = reading(connection);
      const isWhole = () => pages() === count || server.connections() === 0;
      while (!isWhole()) await turn();
      expect(pages()).toBe(count);
    },
  );

  test("is the last of its connection where an account may have too many large ones", async () => {
    handler.large = PAID;
    const before = handler.answered;
    await silent(requestText("GET /large").repeat(PAID));
    while (server.connections() > 0) await turn();
    expect(handler.answered - before).toBeLessThan(PAID);
  });

  test("does not cost an account what it paid for when it goes beyond its minute", async () => {
    const above = 3 * REQUESTS;
    const [paid, refused] = [handler.answered, handler.refused];
    const requests =
      requestText("GET /paid").repeat(PAID) + requestText("GET /refused").repeat(above);
    const connection = await silent(requests);
    const isAnswered = () =>
      handler.answered - paid === PAID && handler.refused - refused === above;
    const isOver = () => isAnswered() || server.connections() === 0;
    while (!isOver()) await turn();
    const pages = reading(connection);
    while (pages() < PAID && server.connections() > 0) await turn();
    expect(pages()).toBe(PAID);
  });

  test("is the last of its connection also where an account goes beyond its minute without end", async () => {
    const connection = await silent(requestText("GET /paid").repeat(PAID));
    const packet = requestText("GET /refused").repeat(REQUESTS);
    const before = handler.refused;
    const answered = () => handler.refused - before;
    for (let sent = 0; sent < 100 * REQUESTS && server.connections() > 0; sent += REQUESTS) {
      connection.write(packet);
      while (answered() < sent + REQUESTS && server.connections() > 0) await turn();
    }
    expect(server.connections()).toBe(0);
    expect(server.inFlight()).toBe(0);
  });
});

describe("which answers are watched", () => {
  const reply = { status: "200 OK", headers: "" };
  const paid = (requests: number): Reply => ({ ...reply, minute: { ...MINUTE, limit: requests } });
  const refused: Reply = { ...paid(1000), code: "rate_limited" };

  test("to an account, if each is long and those of its minute may be far too much together", () => {
    expect(isWatched(0, MEGABYTE / 2, paid(256))).toBe(false);
    expect(isWatched(0, MEGABYTE / 2, paid(257))).toBe(true);
    expect(isWatched(0, MEGABYTE / 2 - 1, paid(100_000))).toBe(false);
  });

  test("to others, all from 16 KB on, and of shorter ones one in as many bytes as chance says", () => {
    const random = vi.spyOn(Math, "random").mockReturnValue(1 - Math.exp(-1.9999));
    expect(isLast(2 ** 40, reply, 0), "the next is nearly two megabytes away").toBe(true);
    for (let sent = 0; sent < 3; sent++) expect(isWatched(0, 16 * 1024, refused)).toBe(true);
    let short = 1;
    while (!isWatched(24, 1000, reply)) short++;
    expect(short).toBe(2048);
    random.mockRestore();
  });

  test("and are the last of their connection, but for sixteen a minute to accounts", () => {
    const last = (minute: number, to: Reply) => isLast(2 ** 40, to, 60_000 * minute);
    for (const minute of [1000, 1001]) {
      for (let spared = 0; spared < 16; spared++) expect(last(minute, refused)).toBe(false);
      expect(last(minute, refused)).toBe(true);
      expect(last(minute, reply)).toBe(true);
      expect(last(minute, paid(1000)), "was charged").toBe(false);
    }
  });
});
