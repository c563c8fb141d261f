import { afterEach, describe, expect, test, vi } from "vitest";
import { connect } from "node:net";
import type { CheckOutcome } from "../../../../server/checks/check-task.ts";
import { HeldChecks } from "../../../support/held-checks.ts";
import { requestText, sendRaw } from "../../../support/http-raw.ts";
import { bearer, errorOf, ServerFixture, usedBy } from "../../../support/server-fixture.ts";
import { until } from "../../../support/until.ts";

const REPORT: CheckOutcome = { kind: "report", json: '{"verdict":{"value":"luck"}}' };
const CSV = "date,a\n2024-01-01,0.01\n";

let server: ServerFixture;
afterEach(() => server.close());

async function held(): Promise<HeldChecks> {
  const checks = new HeldChecks();
  server = await ServerFixture.start({ runCheck: checks.run });
  return checks;
}

function post(key: string, query = "", body: string | Buffer<ArrayBuffer> = CSV, headers = {}) {
  return fetch(`${server.origin}/v1/check${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
}

describe("slots", () => {
  test("are two for an account, and those of others do not matter", async () => {
    const checks = await held();
    const keys = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((n) => server.key("roomy", `${n}@x.org`)),
    );
    const [first = "", ...rest] = keys;
    const own = [post(first), post(first)];
    await until(() => checks.begun.length === 2);
    const third = await post(first);
    expect([third.status, third.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await errorOf(third)).message).toContain("two checks of this account are under way");
    const others = rest.flatMap((key) => [post(key), post(key)]);
    await until(() => checks.begun.length === 12);
    checks.begun[0]!.end(REPORT);
    expect((await Promise.race(own)).status).toBe(200);
    own.push(post(first));
    await until(() => checks.begun.length === 13);
    for (const check of checks.begun) check.end(REPORT);
    for (const answer of [...own, ...others]) expect((await answer).status).toBe(200);
  });

  test("have 256 MiB for the files of all, and a file is refused as it comes", async () => {
    const checks = await held();
    const key = await server.key();
    const others = server.service.parts.checkSlots.enter("others")!; // it has none yet
    others.take(256 * 1024 * 1024 - CSV.length + 1);
    const refused = await post(key);
    expect([refused.status, (await errorOf(refused)).message]).toEqual([
      503,
      "too many files are under way, of all accounts; nothing was charged; retry shortly",
    ]);
    others.leave();
    const next = post(key);
    await until(() => checks.begun.length === 1);
    checks.begun[0]!.end(REPORT);
    expect((await next).status).toBe(200);
  });

  test("are free once the client has left, in the upload or after it, and nothing is charged", async () => {
    const checks = await held();
    const key = await server.key();
    const head = requestText("POST /v1/check", [bearer(key), "Content-Length: 1000"]);
    for (const body of ["", CSV, "x".repeat(1000), "x".repeat(1000)]) {
      const begun = checks.begun.length;
      const socket = connect(server.http.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(head + body);
      await until(() => server.service.parts.checkSlots.underWay === 1);
      if (body.length === 1000) await until(() => checks.begun.length === begun + 1);
      socket.destroy();
      await until(() => server.service.parts.checkSlots.underWay === 0);
    }
    expect(checks.begun.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(usedBy(server, key)).toBe(0);
    expect(server.defects).toEqual([]);
  });

  test("are left at a stop, and their clients are answered", async () => {
    const checks = await held();
    const key = await server.key();
    const working = post(key);
    await until(() => checks.begun.length === 1);
    const head = requestText("POST /v1/check", [bearer(key), "Content-Length: 1000"]);
    const sending = sendRaw(server.http.port, `${head}half`);
    await until(() => server.service.parts.checkSlots.underWay === 2);
    server.service.parts.checkSlots.stop();
    expect((await errorOf(await working)).message).toContain("shutting down");
    expect((await sending).responses[0]?.status).toBe(503);
    expect(usedBy(server, key)).toBe(0);
  });
});

describe("the file", () => {
  test("that comes slower than 32 KiB a second for ten seconds is refused, and its slot is free", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const checks = await held();
      const key = await server.key();
      const lines = [bearer(key), "Content-Length: 4000000"];
      const enough = "x".repeat(10 * 32 * 1024);
      const pieces: string[] = [requestText("POST /v1/check", lines), enough];
      const socket = connect(server.http.port, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => (text += String(chunk)));
      const closed = new Promise((resolve) => socket.on("close", resolve));
      for (const piece of pieces) socket.write(piece);
      const { checkSlots } = server.service.parts;
      await until(() => checkSlots.bytes === enough.length);
      vi.advanceTimersByTime(10_000);
      socket.write(enough.slice(1));
      await until(() => checkSlots.bytes === 2 * enough.length - 1);
      expect(text).toBe("");
      vi.advanceTimersByTime(10_000);
      await closed;
      expect(text).toMatch(/^HTTP\/1\.1 408 .*"code":"upload_too_slow"/s);
      expect([checkSlots.underWay, checkSlots.bytes, usedBy(server, key)]).toEqual([0, 0, 0]);
      expect(checks.begun).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});
