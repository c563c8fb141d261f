import { crc32, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import { KeptAnswer } from "../../../server/requests/kept-answer.ts";
import { READ_ENDPOINTS } from "../../../server/routes/endpoints.ts";
import { SnapshotAnswers } from "../../../server/requests/snapshot-answers.ts";
import { beginGzip } from "../../../server/http/gzip-member.ts";
import type { SnapshotData } from "../../../server/routes/snapshot-data.ts";
import { asker } from "../../support/asker.ts";
import { largeBoard, MARKET, marketSnapshot } from "../../support/server-market.ts";

const ASKER = asker();
const endpointAt = (path: string) => READ_ENDPOINTS.find((endpoint) => endpoint.path === path)!;

/** A kept answer. Two are the same if they are in the same place. */
async function keptAnswer(
  answers: SnapshotAnswers,
  path: string,
  query: string,
): Promise<KeptAnswer> {
  const answer = await answers.find(endpointAt(path), query, ASKER);
  if (answer instanceof KeptAnswer) return answer;
  throw new Error(`the answer to "${path}?${query}" is not kept`);
}

/** The body of an answer, with a tail of "1}". */
async function textOf(answers: SnapshotAnswers, path: string, query = ""): Promise<string> {
  const { body } = await answers.find(endpointAt(path), query, ASKER);
  return body.plain("1}").toString();
}

/** All that callers get of an answer about a plan. */
async function planOf(answers: SnapshotAnswers, query: string): Promise<object> {
  const { etag, headers, body } = await answers.find(endpointAt("/dca"), query, ASKER);
  const texts = [headers, body.plain("1}"), gunzipSync(body.gzip("1}"))].map(String);
  return { etag, texts, beginning: body.beginningBytes };
}

describe("the answers of a snapshot", () => {
  test("are made once for each set of parameters, however it is written", async () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const placeOf = async (query: string) => (await keptAnswer(answers, "/signals", query)).place;
    const first = await placeOf("coin=btc&date=2020-12-31");
    for (const query of [
      "coin=btc&date=2020-12-31",
      "date=2020-12-31&coin=btc",
      "date=2020%2D12-31&coin=%62tc",
    ]) {
      expect(await placeOf(query)).toBe(first);
    }
    expect(await placeOf("coin=btc&date=2020-12-30")).not.toBe(first);
    expect(await placeOf("coin=eth&date=2020-12-31")).not.toBe(first);
  });

  test("are the same whether they were prepared in pieces or made on request", async () => {
    const ready = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    await ready.prepare();
    for (const path of ["/signals", "/dataset", "/strategies", "/overfitting-index"]) {
      const fresh = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
      const [made, asked] = await Promise.all([ready, fresh].map((each) => textOf(each, path)));
      expect(made).toBe(asked);
      expect(JSON.parse(made!)).toHaveProperty("data.attribution");
    }
  });

  test("of any amount are the same however they are written", async () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dca = endpointAt("/dca");
    const first = await planOf(answers, "coin=btc");
    for (const query of [
      "coin=btc&amount=100",
      "amount=1e2&coin=%62tc",
      "coin=btc&start_date=2020-01-01",
    ]) {
      expect(await planOf(answers, query)).toEqual(first);
    }
    const { etag } = await answers.find(dca, "coin=btc&amount=101", ASKER);
    expect(first).not.toMatchObject({ etag });
    const data = dca.answer(answers.snapshot, {
      coin: "btc",
      amount: 100,
      frequency: "weekly",
      start_date: "2020-01-01",
    } as never);
    expect(await textOf(answers, "/dca", "coin=btc")).toBe(
      `{"data":${JSON.stringify(data)},"meta":1}`,
    );
  });

  test("of any amount are kept once they are asked for again, but not if they are new or wrong", async () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dca = endpointAt("/dca");
    const isKept = (query: string) => answers.find(dca, query, ASKER) instanceof KeptAnswer;
    const first = await planOf(answers, "coin=btc&amount=250");
    expect(isKept("coin=btc&amount=250")).toBe(true);
    for (let round = 0; round < 3; round++) {
      expect(await planOf(answers, "coin=btc&amount=250")).toEqual(first);
      expect(await planOf(answers, "amount=250.0&coin=btc")).toEqual(first);
    }
    const place = async (query: string) => (await keptAnswer(answers, "/dca", query)).place;
    expect(await place("amount=250.0&coin=btc")).toBe(await place("coin=btc&amount=250"));
    expect(isKept("coin=btc&amount=251")).toBe(false);
    for (let round = 0; round < 3; round++) {
      expect(() => answers.find(dca, "coin=btc&amount=-1", ASKER)).toThrow(/amount/);
    }
    // A query that comes once among thousands of others is not kept either.
    const flood = Array.from({ length: 30_000 }, (_, n) => `coin=eth&amount=${n + 1}`);
    const kept = [...flood, ...flood].filter(isKept);
    expect(kept.length).toBeLessThan(flood.length / 10);
  });

  test("of the dataset keep apart what all of them begin with", async () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dataset = endpointAt("/dataset");
    const asked = [{}, { coin: "btc" }, { template: "ma_cross", coin: "btc" }];
    for (const parameters of asked) {
      const query = new URLSearchParams(parameters).toString();
      const { body, beginning } = await keptAnswer(answers, "/dataset", query);
      expect(beginning).toBeDefined();
      const data = dataset.answer(answers.snapshot, parameters as never);
      const whole = `{"data":${JSON.stringify(data)},"meta":1}`;
      expect(body.plain("1}").toString()).toBe(whole);
      expect(gunzipSync(body.gzip("1}")).toString()).toBe(whole);
    }
  });

  test("have tags of nothing but characters a tag may hold", async () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const asked = [
      ["/signals", ""],
      ["/signals", "coin=btc&date=2021-01-01"],
      ["/dca", "coin=btc&amount=1e-9&frequency=monthly"],
      ["/strategies", ""],
    ] as const;
    for (const [path, query] of asked) {
      expect((await answers.find(endpointAt(path), query, ASKER)).etag).toMatch(
        /^W\/"[\x21\x23-\x7e]+"$/,
      );
    }
  });

  test("are the same after a flood of other questions", async () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dca = endpointAt("/dca");
    const first = await textOf(answers, "/dca", "coin=btc");
    for (let amount = 1; amount <= 30_000; amount++)
      void answers.find(dca, `coin=eth&amount=${amount}`, ASKER);
    expect(await textOf(answers, "/dca", "coin=btc")).toBe(first);
    const long = `coin=btc&amount=100.${"0".repeat(39)}`;
    expect(await textOf(answers, "/dca", long)).toBe(first);
  });

  test("of every coin of a large board are kept, beside each other", async () => {
    const answers = new SnapshotAnswers(largeBoard(5000), READ_ENDPOINTS);
    const places = async () => {
      const kept = answers.snapshot.coins.map(({ ticker }) =>
        keptAnswer(answers, "/signals", `coin=${ticker}`),
      );
      return (await Promise.all(kept)).map(({ place }) => place);
    };
    expect(await places()).toEqual(await places());
  });

  test("that are asked for most can be prepared, one piece a turn", async () => {
    const computed: string[] = [];
    const counting = READ_ENDPOINTS.map((endpoint) => ({
      ...endpoint,
      answer(snapshot: never, resolved: never) {
        computed.push(endpoint.path);
        return endpoint.answer(snapshot, resolved);
      },
    }));
    const answers = new SnapshotAnswers(marketSnapshot(), counting);
    const turns = await turnsOf(() => answers.prepare());
    // Per coin: signals, buy-hold, dataset; without a coin: signals, strategies, dataset, overfitting-index.
    const prepared = 3 * MARKET.length + 4;
    expect(computed).toHaveLength(prepared);
    expect(turns).toBeGreaterThanOrEqual(prepared);
    for (const endpoint of counting) {
      if (endpoint.written !== undefined) continue;
      void answers.find(endpoint, "coin" in endpoint.query.shape ? "coin=btc" : "", ASKER);
    }
    expect(computed, "nothing more was to do").toHaveLength(prepared);
  });
});

describe("a long answer", () => {
  const PAST = "date=2021-06-01";

  test("is made in pieces, with turns of the event loop in between, and the same as in one", async () => {
    const snapshot = largeBoard(500);
    for (const query of ["", PAST]) {
      const answers = new SnapshotAnswers(snapshot, READ_ENDPOINTS);
      const turns = await turnsOf(() => textOf(answers, "/signals", query));
      expect(turns, "eight coins a turn").toBeGreaterThanOrEqual(500 / 8 - 1);
      const data = endpointAt("/signals").answer(snapshot, dateIn(query) as never);
      expect(await textOf(answers, "/signals", query)).toBe(
        `{"data":${JSON.stringify(data)},"meta":1}`,
      );
    }
  });

  test("is compressed before anybody gets it, to what compressing at once would give", async () => {
    const answers = new SnapshotAnswers(largeBoard(100), READ_ENDPOINTS);
    const kept = await keptAnswer(answers, "/signals", "");
    const { deflated, crc } = kept.compressed!;
    expect(Buffer.from(deflated).equals(beginGzip(kept.rest))).toBe(true);
    expect(crc).toBe(crc32(kept.rest));
    expect(gunzipSync(kept.gzip("1}")).equals(kept.plain("1}"))).toBe(true);
  });

  test("is still compressed after a flood of others", async () => {
    const answers = new SnapshotAnswers(largeBoard(1000), READ_ENDPOINTS);
    const first = await keptAnswer(answers, "/signals", PAST);
    const before = Buffer.from(first.compressed!.deflated);
    for (let day = 10; day < 16; day++) {
      await answers.find(endpointAt("/signals"), `date=2021-06-${day}`, ASKER);
      const again = await keptAnswer(answers, "/signals", PAST);
      expect(again.compressed).toBeDefined();
      expect(before.equals(again.compressed!.deflated)).toBe(true);
    }
  });

  test("is made once for all who ask while it is being made", async () => {
    const made: string[] = [];
    const counting = READ_ENDPOINTS.map((endpoint) => ({
      ...endpoint,
      long(snapshot: SnapshotData, resolved: never) {
        made.push(endpoint.path);
        return endpoint.long?.(snapshot, resolved);
      },
    }));
    const answers = new SnapshotAnswers(largeBoard(100), counting);
    const signals = counting.find(({ path }) => path === "/signals")!;
    const asked = ["", PAST, "", "date=2021-06%2D01", PAST].map(async (query) =>
      answers.find(signals, query, ASKER),
    );
    const [board, past, sameBoard, samePast, pastAgain] = await Promise.all(asked);
    expect(made).toEqual(["/signals", "/signals"]);
    expect(sameBoard).toBe(board);
    expect([samePast, pastAgain]).toEqual([past, past]);
  });

  test("that cannot be made fails for those who asked, and is tried again for the next", async () => {
    let isBroken = true;
    const snapshot = largeBoard(100);
    const bars = (ticker: string) => {
      if (isBroken && ticker === snapshot.coins[50]?.ticker) throw new Error("a broken column");
      return snapshot.bars(ticker);
    };
    const answers = new SnapshotAnswers({ ...snapshot, bars }, READ_ENDPOINTS);
    const ask = async () => answers.find(endpointAt("/signals"), "", ASKER);
    await expect(Promise.all([ask(), ask()])).rejects.toThrow("a broken column");
    isBroken = false;
    expect((await ask()).body.beginningBytes).toBeGreaterThan(100_000);
  });

  test("is made no further once its client has gone, and anew for the next", async () => {
    const { made, snapshot, answers } = notedBoard();
    const client = asker();
    const asked = answers.find(endpointAt("/signals"), PAST, client);
    while (made.length === 0) await new Promise(setImmediate);
    client.open = false;
    await expect(asked).rejects.toMatchObject({ code: "unavailable" });
    expect(made.length).toBeLessThan(100);
    const { body } = await answers.find(endpointAt("/signals"), PAST, ASKER);
    const data = endpointAt("/signals").answer(snapshot, dateIn(PAST) as never);
    expect(body.plain("1}").toString()).toBe(`{"data":${JSON.stringify(data)},"meta":1}`);
  });

  test("is also that of a short list, once two of those were made in the same turn of the event loop", async () => {
    const { made, snapshot, answers } = notedBoard(50);
    const { firstDay } = snapshot.coins[0]!;
    const queryOf = (day: number) => `date=${dateOfDay(firstDay + day)}`;
    const queries = Array.from({ length: 90 }, (_, day) => queryOf(day));
    const ask = (query: string) => answers.find(endpointAt("/signals"), query, ASKER);
    const found = queries.map(ask);
    expect(made, "hundreds in one packet do not hold up everybody").toHaveLength(2 * 50);
    const isLater = found.map((answer) => answer instanceof Promise);
    expect(isLater).toEqual(queries.map((_, at) => at >= 2));
    const later = await Promise.all(found.map(async (answer) => answer));
    const texts = later.map(({ body }) => body.plain("1}").toString());
    for (const [at, query] of queries.entries()) {
      const data = endpointAt("/signals").answer(snapshot, dateIn(query) as never);
      expect(texts[at]).toBe(`{"data":${JSON.stringify(data)},"meta":1}`);
    }
    expect(ask(queryOf(90)), "in a later turn").toBeInstanceOf(KeptAnswer);
  });

  test("costs nothing until its turn has come", async () => {
    const { made, answers } = notedBoard();
    const asked = [1, 2, 3].map(async (day) =>
      answers.find(endpointAt("/signals"), `date=2021-06-0${day}`, ASKER),
    );
    expect(made).toEqual([]);
    await Promise.all(asked);
  });
});

/** A board, its answers, and the coins whose readings were made, one after the other. */
function notedBoard(coins = 100) {
  const made: string[] = [];
  const snapshot = largeBoard(coins);
  const bars = (ticker: string) => {
    made.push(ticker);
    return snapshot.bars(ticker);
  };
  return { made, snapshot, answers: new SnapshotAnswers({ ...snapshot, bars }, READ_ENDPOINTS) };
}

/** How many turns of the event loop pass until the work is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  count();
  await work();
  isDone = true;
  return turns;
}

function dateIn(query: string): { date?: string } {
  const date = new URLSearchParams(query).get("date");
  return date === null ? {} : { date };
}
