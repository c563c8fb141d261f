import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadBoard } from "../../../pipeline/board.ts";
import { openSource } from "../../../pipeline/sources/open-source.ts";
import { ChildServer } from "../../../scripts/support/child-server.ts";
import type { LoadRequest } from "../../../scripts/bench/raw-request.ts";
import { readCases } from "../../../scripts/bench/read-cases.ts";
import { recordAnswer, type RecordedAnswer } from "../../../scripts/bench/recorded-answer.ts";
import { openSnapshot } from "../../../snapshots/reader.ts";
import { ServerFixture } from "../../support/server-fixture.ts";
import { runSmall } from "../../support/snapshot-market.ts";
import { builtScript } from "../../support/built-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/**
 * The servers being compared must give the same answers; otherwise the ratio compares two different things.
 */
const folder = temporaryFolder("bench-servers");
const BARE = builtScript("bench/bare-server");
const FASTIFY = builtScript("bench/fastify-twin");
const NOW_MS = Date.UTC(2024, 5, 2, 3);

let ours: ServerFixture;
let twin: ChildServer;
let cases: ReturnType<typeof readCases>;
let key = "";
const oursPort = () => ours.http.port;

beforeAll(async () => {
  const board = loadBoard().slice(0, 3);
  const source = await openSource("demo", { board, now: () => NOW_MS });
  const { dir, manifest } = await runSmall(folder, { source, board, nowMs: NOW_MS });
  const snapshot = await openSnapshot(dir);
  ours = await ServerFixture.start({ snapshot });
  key = await ours.key();
  const allowed = { plan: "roomy", calls_per_month: 1_000_000, rate_per_minute: 1_000_000 };
  const accounts = [
    { ...allowed, key, id: "a" },
    { ...allowed, key: "minute", id: "b", rate_per_minute: 1 },
    { ...allowed, key: "month", id: "c", calls_per_month: 1 },
  ];
  const options = { snapshot: dir, state: join(folder, "fastify.db"), accounts };
  twin = await ChildServer.start({ script: FASTIFY, args: [JSON.stringify(options)] });
  const keys = { keys: [key], rateKeys: ["minute"], quotaKey: "month" };
  cases = readCases({ snapshotId: manifest.id, coins: manifest.coins, ...keys });
});
afterAll(async () => {
  await twin.stop();
  await ours.close();
});

function caseOf(name: string): readonly LoadRequest[] {
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found.requests;
}

/** `data` without its notes, which speak of a board too small for the whole dataset. */
function dataOf(text: string | undefined): unknown {
  const withoutNotes = (name: string, value: unknown) => (name === "note" ? undefined : value);
  return (JSON.parse(text ?? "", withoutNotes) as { data: unknown }).data;
}

const SAME_FIGURES = "signals-coin buy-hold dca board dataset-filtered dataset overfitting".split(
  " ",
);

describe("the Fastify service", () => {
  const fastify = (request: LoadRequest) => recordAnswer(twin.port, request);
  const statusOf = async (request: LoadRequest) => Number.parseInt((await fastify(request)).status);

  test.each(SAME_FIGURES)("answers %s with the same figures", async (name) => {
    for (const request of caseOf(name).slice(0, 5)) {
      const { path } = request;
      const [theirs, answer] = [await fastify(request), await recordAnswer(oursPort(), request)];
      expect(theirs.status, `${path}: ${theirs.body}`).toBe("200 OK");
      expect({ path, data: dataOf(theirs.body) }).toEqual({ path, data: dataOf(answer.body) });
    }
  });

  test("counts each answer against the month", async () => {
    const used = async () => {
      const { body = "" } = await fastify({ path: "/v1/signals?coin=btc", key });
      return (JSON.parse(body) as { meta: { quota: { used: number } } }).meta.quota.used;
    };
    expect((await used()) + 1).toBe(await used());
  });

  test.each([
    ["not-modified", "304 Not Modified"],
    ["unknown-key", "401 Unauthorized"],
  ])("answers %s with %s, as ours does", async (name, status) => {
    const request = caseOf(name)[0]!;
    expect(await fastify(request)).toMatchObject({ status });
    expect(await recordAnswer(oursPort(), request)).toMatchObject({ status });
  });

  test.each(["rate-used", "quota-used"])("refuses where %s", async (name) => {
    const request = caseOf(name)[0]!;
    expect([await statusOf(request), await statusOf(request)]).toEqual([200, 429]);
  });

  test.each([
    "/v1/signals?coin=nope",
    "/v1/buy-hold",
    "/v1/dca?coin=btc&frequency=daily",
    "/v1/dca?coin=btc&start_date=1999-01-01",
    "/v1/dataset?colour=red",
  ])("refuses %s", async (path) => {
    expect(await statusOf({ path, key })).toBe(400);
  });
});

describe("the bare server", () => {
  test("repeats recorded answers byte for byte, in turn", async () => {
    const recorded: RecordedAnswer[] = [];
    const requests = [...caseOf("signals-coin").slice(0, 2), caseOf("not-modified")[0]!];
    for (const request of requests) recorded.push(await recordAnswer(oursPort(), request));
    const file = join(folder, "answers.json");
    writeFileSync(file, JSON.stringify({ other: [recorded[0]], reads: recorded }));
    const bare = await ChildServer.start({ script: BARE, args: [file], ipc: true });
    try {
      await bare.tell("reads");
      for (const answer of [...recorded, ...recorded]) {
        expect(await recordAnswer(bare.port, requests[0]!)).toEqual(answer);
      }
    } finally {
      await bare.stop();
    }
  });
});
