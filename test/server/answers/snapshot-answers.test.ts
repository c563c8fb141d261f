import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { KeptAnswer } from "../../../server/answers/kept-answer.ts";
import { READ_ENDPOINTS } from "../../../server/routes/endpoints.ts";
import { readParts } from "../../../server/answers/read-parts.ts";
import { SnapshotAnswers } from "../../../server/answers/snapshot-answers.ts";
import { MARKET, marketSnapshot } from "../../support/server-market.ts";

const endpointAt = (path: string) => READ_ENDPOINTS.find((endpoint) => endpoint.path === path)!;

/** A kept answer. Two are the same if they are in the same place. */
function keptAnswer(answers: SnapshotAnswers, path: string, query: string): KeptAnswer {
  const answer = answers.find(endpointAt(path), query);
  if (answer instanceof KeptAnswer) return answer;
  throw new Error(`the answer to "${path}?${query}" is not kept`);
}

describe("the answers of a snapshot", () => {
  test("are made once for each set of parameters, however it is written", () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const placeOf = (query: string) => keptAnswer(answers, "/signals", query).place;
    const first = placeOf("coin=btc&date=2020-12-31");
    for (const query of [
      "coin=btc&date=2020-12-31",
      "date=2020-12-31&coin=btc",
      "date=2020%2D12-31&coin=%62tc",
    ]) {
      expect(placeOf(query)).toBe(first);
    }
    expect(placeOf("coin=btc&date=2020-12-30")).not.toBe(first);
    expect(placeOf("coin=eth&date=2020-12-31")).not.toBe(first);
  });

  test("are the same whether they were prepared in pieces or made on request", async () => {
    const ready = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    await readParts(ready.snapshot);
    await ready.prepare();
    for (const path of ["/signals", "/dataset", "/strategies", "/overfitting-index"]) {
      const fresh = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
      const [made, asked] = [ready, fresh].map((answers) =>
        answers.find(endpointAt(path), "").body.plain("1}").toString(),
      );
      expect(made).toBe(asked);
      expect(JSON.parse(made!)).toHaveProperty("data.attribution");
    }
  });

  test("of any amount are the same however they are written", () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dca = endpointAt("/dca");
    const ask = (query: string) => {
      const { etag, headers, body } = answers.find(dca, query);
      const texts = [headers, body.plain("1}"), gunzipSync(body.gzip("1}"))].map(String);
      return { etag, texts, beginning: body.beginningBytes };
    };
    const first = ask("coin=btc");
    for (const query of [
      "coin=btc&amount=100",
      "amount=1e2&coin=%62tc",
      "coin=btc&start_date=2020-01-01",
    ]) {
      expect(ask(query)).toEqual(first);
    }
    expect(ask("coin=btc&amount=101").etag).not.toBe(first.etag);
    const data = dca.answer(answers.snapshot, {
      coin: "btc",
      amount: 100,
      frequency: "weekly",
      start_date: "2020-01-01",
    } as never);
    expect(answers.find(dca, "coin=btc").body.plain("1}").toString()).toBe(
      `{"data":${JSON.stringify(data)},"meta":1}`,
    );
  });

  test("of any amount are kept once they are asked for again, but not if they are new or wrong", () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dca = endpointAt("/dca");
    const isKept = (query: string) => answers.find(dca, query) instanceof KeptAnswer;
    const seen = (query: string) => {
      const { etag, headers, body } = answers.find(dca, query);
      const texts = [headers, body.plain("1}"), gunzipSync(body.gzip("1}"))].map(String);
      return { etag, texts, beginning: body.beginningBytes };
    };
    const first = seen("coin=btc&amount=250");
    expect(isKept("coin=btc&amount=250")).toBe(true);
    for (let round = 0; round < 3; round++) {
      expect(seen("coin=btc&amount=250")).toEqual(first);
      expect(seen("amount=250.0&coin=btc")).toEqual(first);
    }
    const place = (query: string) => keptAnswer(answers, "/dca", query).place;
    expect(place("amount=250.0&coin=btc")).toBe(place("coin=btc&amount=250"));
    expect(isKept("coin=btc&amount=251")).toBe(false);
    for (let round = 0; round < 3; round++) {
      expect(() => answers.find(dca, "coin=btc&amount=-1")).toThrow(/amount/);
    }
    // A query that comes once among thousands of others is not kept either.
    const flood = Array.from({ length: 30_000 }, (_, n) => `coin=eth&amount=${n + 1}`);
    const kept = [...flood, ...flood].filter(isKept);
    expect(kept.length).toBeLessThan(flood.length / 10);
  });

  test("of the dataset keep apart what all of them begin with", () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dataset = endpointAt("/dataset");
    const asked = [{}, { coin: "btc" }, { template: "ma_cross", coin: "btc" }];
    for (const parameters of asked) {
      const query = new URLSearchParams(parameters).toString();
      const { body, beginning } = keptAnswer(answers, "/dataset", query);
      expect(beginning).toBeDefined();
      const data = dataset.answer(answers.snapshot, parameters as never);
      const whole = `{"data":${JSON.stringify(data)},"meta":1}`;
      expect(body.plain("1}").toString()).toBe(whole);
      expect(gunzipSync(body.gzip("1}")).toString()).toBe(whole);
    }
  });

  test("have tags of nothing but characters a tag may hold", () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const asked = [
      ["/signals", ""],
      ["/signals", "coin=btc&date=2021-01-01"],
      ["/dca", "coin=btc&amount=1e-9&frequency=monthly"],
      ["/strategies", ""],
    ] as const;
    for (const [path, query] of asked) {
      expect(answers.find(endpointAt(path), query).etag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    }
  });

  test("are the same after a flood of other questions", () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dca = endpointAt("/dca");
    const first = answers.find(dca, "coin=btc").body.plain("1}").toString();
    for (let amount = 1; amount <= 30_000; amount++) answers.find(dca, `coin=eth&amount=${amount}`);
    expect(answers.find(dca, "coin=btc").body.plain("1}").toString()).toBe(first);
    const long = `coin=btc&amount=100.${"0".repeat(39)}`;
    expect(answers.find(dca, long).body.plain("1}").toString()).toBe(first);
  });

  test("of every coin of a large board are kept, beside each other", () => {
    const snapshot = marketSnapshot();
    const tickers = Array.from({ length: 5000 }, (_, n) => `c${n.toString(36).padStart(4, "0")}`);
    const [btc] = snapshot.coins;
    const coins = tickers.map((ticker) => ({ ...btc!, ticker }));
    const ofBtc = {
      bars: () => snapshot.bars("btc"),
      indicators: () => snapshot.indicators("btc"),
    };
    const answers = new SnapshotAnswers({ ...snapshot, ...ofBtc, coins }, READ_ENDPOINTS);
    const placeOf = (ticker: string) => keptAnswer(answers, "/signals", `coin=${ticker}`).place;
    expect(tickers.map(placeOf)).toEqual(tickers.map(placeOf));
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
    let turns = 0;
    let done = false;
    const count = () => {
      turns++;
      if (!done) setImmediate(count);
    };
    count();
    await answers.prepare();
    done = true;
    // Per coin: signals, buy-hold, dataset; without a coin: signals, strategies, dataset, overfitting-index.
    const prepared = 3 * MARKET.length + 4;
    expect(computed).toHaveLength(prepared);
    expect(turns).toBeGreaterThanOrEqual(prepared);
    for (const endpoint of counting) {
      if (endpoint.written !== undefined) continue;
      answers.find(endpoint, "coin" in endpoint.query.shape ? "coin=btc" : "");
    }
    expect(computed, "nothing more was to do").toHaveLength(prepared);
  });
});
