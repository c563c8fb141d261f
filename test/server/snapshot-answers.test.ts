import { describe, expect, test } from "vitest";
import { READ_ENDPOINTS } from "../../server/routes/endpoints.ts";
import { SnapshotAnswers } from "../../server/snapshot-answers.ts";
import { MARKET, marketSnapshot } from "../support/server-market.ts";

const endpointAt = (path: string) => READ_ENDPOINTS.find((endpoint) => endpoint.path === path)!;

describe("the answers of a snapshot", () => {
  test("are made once for each set of parameters, however it is written", () => {
    const answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
    const dca = endpointAt("/dca");
    const first = answers.find(dca, "coin=btc");
    for (const query of [
      "coin=btc",
      "coin=btc&amount=100",
      "amount=1e2&coin=%62tc",
      "coin=btc&start_date=2020-01-01",
    ]) {
      expect(answers.find(dca, query)).toBe(first);
    }
    expect(answers.find(dca, "coin=btc&amount=101")).not.toBe(first);
    expect(answers.find(dca, "coin=eth")).not.toBe(first);
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

  test("that are asked for most can be made ready, a piece a turn", async () => {
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
    // Of each coin: signals, buy-hold, dca, dataset; of none: signals, strategies, dataset, overfitting-index.
    const prepared = 4 * MARKET.length + 4;
    expect(computed).toHaveLength(prepared);
    expect(turns).toBeGreaterThanOrEqual(prepared);
    for (const endpoint of counting) {
      answers.find(endpoint, "coin" in endpoint.query.shape ? "coin=btc" : "");
    }
    expect(computed, "nothing more was to do").toHaveLength(prepared);
  });
});
