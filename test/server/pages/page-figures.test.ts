import type { HoldingYear } from "../../../api/buy-hold.ts";
import type { Dataset } from "../../../api/dataset.ts";
import type { Reading } from "../../../api/reading.ts";
import { expect, test } from "vitest";
import {
  decimal,
  dollars,
  share,
  signedDecimal,
  signedPercent,
  significant,
} from "../../../web/format.ts";
import { averageParts, oscillatorParts } from "../../../web/rating-parts.ts";
import { sharedServer } from "../../support/server-fixture.ts";

const { server, key } = await sharedServer();

/** The text of a page, without its tags. */
async function pageAt(path: string): Promise<string> {
  const html = await (await server.get(path, undefined)).text();
  return html.replace(/<[^>]+>/g, " ").replace(/[ \n]+/g, " ");
}

async function dataAt<Data>(path: string): Promise<Data> {
  return ((await (await server.get(`/v1${path}`, key)).json()) as { data: Data }).data;
}

test("the page of a coin without newer prices says so", async () => {
  expect(await pageAt("/coins/old")).toMatch(
    /OLD has no prices after (\S+):.*Return to \1 by year/,
  );
  expect(await pageAt("/coins/btc")).not.toContain("has no prices after");
});

test("a coin's page has the rating of GET /signals, and all that it counts", async () => {
  const { signal } = await dataAt<{ signal: Reading }>("/signals?coin=btc");
  const page = await pageAt("/coins/btc");
  const summary = signal.summary!;
  expect(page).toContain(signal.name);
  expect(page).toContain(dollars(signal.close_usd));
  expect(page).toContain(`halves, ${decimal(summary.score, 2)}:`);
  const averages = averageParts(signal);
  const oscillators = oscillatorParts(signal);
  expect([averages.length, oscillators.length]).toEqual([15, 11]);
  for (const [parts, half] of [
    [averages, summary.moving_averages],
    [oscillators, summary.oscillators],
  ] as const) {
    const count = (word: string) => parts.filter(({ signal: says }) => says === word).length;
    expect([count("buy"), count("neutral"), count("sell")]).toEqual([
      half.buy,
      half.neutral,
      half.sell,
    ]);
    for (const { name, rule, value } of parts) expect(page).toContain(`${name} ${rule} ${value}`);
    expect(page).toContain(`${half.buy} buy, ${half.neutral} neutral, ${half.sell} sell`);
  }
  expect(page).toContain(dollars(signal.indicators.sma["200"]!["value"] as number));
  expect(page).toContain(decimal(signal.indicators.rsi!["value"] as number, 1));
});

test("a coin's page has the years of GET /buy-hold and the schedule of GET /dca", async () => {
  const { years } = await dataAt<{ years: HoldingYear[] }>("/buy-hold?coin=btc");
  const page = await pageAt("/coins/btc");
  for (const year of years) {
    expect(page).toContain(
      `${year.entry_date} ${dollars(year.entry_price_usd)} ${dollars(year.value_of_1000_usd)} ${signedPercent(year.return_pct)}`,
    );
  }
  const dca = await dataAt<{ value_usd: number; lump_sum: { value_usd: number } }>("/dca?coin=btc");
  expect(page).toContain(`became ${dollars(dca.value_usd)}`);
  expect(page).toContain(`first day: ${dollars(dca.lump_sum.value_usd)}`);
});

test("the index's page and file have the months of GET /overfitting-index", async () => {
  const { history } = await dataAt<{ history: { month: string; value: number }[] }>(
    "/overfitting-index",
  );
  const page = await pageAt("/index");
  const csv = await (await server.get("/index.csv", undefined)).text();
  expect(csv.split("\r\n")).toHaveLength(history.length + 2); // and the header, and what follows the last line
  for (const { month, value } of history) {
    expect(page).toContain(` ${month} ${decimal(value, 1)} `);
    expect(csv).toContain(`${month},${value}`);
  }
});

test("the dataset's pages have the figures of GET /dataset", async () => {
  const data = await dataAt<Dataset>("/dataset");
  const page = await pageAt("/dataset");
  const { overall, robustness, by_coin: coins } = data.headline;
  expect(page).toContain(signedDecimal(overall["mean_rank_correlation"]!.value, 2));
  expect(page).toContain(share(overall["share_out_of_sample_loss"]!.value));
  for (const check of Object.values(robustness!))
    expect(page).toContain(signedDecimal(check.premium_in_sample, 3));
  const { picks } = await dataAt<Dataset>("/dataset?coin=btc");
  const runs = await pageAt("/dataset/coins/btc");
  expect(runs).toContain(decimal(coins["btc"]!["median_out_of_sample_sharpe"]!.value, 2));
  expect(picks.length).toBeGreaterThan(0);
  for (const { in_sample: before, out_of_sample: after, params } of picks) {
    const words = Object.entries(params).map(([name, value]) => `${name} ${significant(value)}`);
    expect(runs).toContain(
      `${words.join(", ")} ${decimal(before.sharpe, 2)} ${decimal(after.sharpe, 2)}`,
    );
  }
});

test("every point of the dataset's pictures leads to a row of a page", async () => {
  const html = await (await server.get("/dataset", undefined)).text();
  const links = new Set(
    [...html.matchAll(/href="(\/dataset\/coins\/[^"]+#[^"]+)"/g)].map(([, href]) => href!),
  );
  const { picks } = await dataAt<Dataset>("/dataset");
  expect(links.size).toBe(picks.length);
  for (const link of links) {
    const [path, id] = link.split("#");
    const page = await (await server.get(path!, undefined)).text();
    expect(page, `of ${link}`).toContain(`<tr id="${id}">`);
  }
});
