import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { siteDataOf } from "../../server/pages/site-data.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { renderPath } from "../../web/site.tsx";
import { publishDemo } from "../support/publish-demo.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * What pages claim, from the tables of a published snapshot by SQL alone. HINDSIGHT_SNAPSHOTS_CHECKED names a folder of
 * snapshots of real prices; without it a small demo market is published.
 */
const own = process.env["HINDSIGHT_SNAPSHOTS_CHECKED"];
const root = own ?? temporaryFolder("recomputed-");
if (own === undefined) await publishDemo(root, "2024-06-01", "2024-06-02T00:10:00Z");
const folder = join(root, readFileSync(join(root, "CURRENT"), "utf8").trim());
const snapshot = await openSnapshot(folder);
const site = siteDataOf(snapshot as never, new Set(snapshot.coins.map(({ ticker }) => ticker)));
const database = await (await DuckDBInstance.create(":memory:")).connect();

type Row = Readonly<Record<string, number>>;

/** The rows of a query; `$name` is the table of that name. */
async function rowsOf(sql: string): Promise<readonly Row[]> {
  const named = sql.replaceAll(/\$(\w+)/g, (_, name) => `'${join(folder, `${name}.parquet`)}'`);
  const rows = (await database.runAndReadAll(named)).getRowObjectsJS();
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "string" ? value : Number(value),
      ]),
    ),
  ) as unknown as Row[];
}

const one = async (sql: string) => (await rowsOf(sql))[0]!;
const textOf = (path: string) =>
  renderPath(path, "html", site)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("\u202f", " ")
    .replaceAll(/\s+/g, " ");
const percent = (value: number, digits = 0) => `${(100 * value).toFixed(digits)} %`;

await database.run(`create table picks as
  select coin, template, variant, in_sample_sharpe earlier, out_of_sample_sharpe later,
    variants_mean_out_of_sample_sharpe settings, out_of_sample_return_pct made,
    buy_hold_out_of_sample_sharpe held, buy_hold_out_of_sample_return_pct held_pct
  from '${join(folder, "dataset_picks.parquet")}'`);
await database.run(`create table runs as
  select r.coin, r.template, r.variant, r.out_of_sample_sharpe later,
    r.out_of_sample_return_pct made, held, settings
  from '${join(folder, "dataset_runs.parquet")}' r join picks using (coin, template)
  where r.in_sample_sharpe is not null`);
/** Whether a run beat holding by Sharpe ratio, a tie counting half. */
const BEATS =
  "case when later > held then 1 when later = held then 0.5 when later < held then 0 end";

test("the sentence of the site: what the coin, the rule and the backtest explain", async () => {
  const shareOf = (name: string) => `(with known as (select * from picks where later is not null),
    groups as (select avg(later) m, count(*) n from known group by ${name})
    select sum(n * (m - (select avg(later) from known)) ^ 2) / (select var_pop(later) * count(*) from known)
    from groups)`;
  const {
    of_coin: coin,
    of_rule: rule,
    luck,
    backtest,
  } = (await one(`select ${shareOf("coin")} of_coin, ${shareOf("template")} of_rule,
    (select (count(distinct template) - 1) / (count(*) - 1) from picks where later is not null) luck,
    (select corr(earlier, later) ^ 2 from picks where later is not null) backtest`)) as Record<
    "of_coin" | "of_rule" | "luck" | "backtest",
    number
  >;
  const figures = site.dataset().headline.overall;
  expect(figures["coin_share_of_variance"]!.value).toBeCloseTo(coin, 9);
  expect(figures["template_share_of_variance"]!.value).toBeCloseTo(rule, 9);
  expect(figures["template_share_of_variance"]!.coin_flip).toBeCloseTo(luck, 9);
  const sentence = `Of what came after, the coin explains ${percent(coin)}, the rule ${percent(rule)} (luck ${percent(luck, 1)}), the backtest ${percent(backtest, 1)}`;
  // Three coins bear no claim.
  expect(textOf("/")).toContain(own === undefined ? "What became of" : sentence);
});

test("how many choices traded afterwards, of how many", async () => {
  const { known, all } = await one('select count(later) known, count(*) "all" from picks');
  expect(textOf("/dataset")).toContain(`the ${known} of ${all} choices that traded afterwards`);
});

test("tiles stand beside the least and the greatest of settings that are fixed blindly", async () => {
  const { loss, low, high, beat, beat_low, beat_high } = await one(`
    with fixed as (select variant, avg((made < 0)::int) lost, avg(${BEATS}) better from runs group by variant),
    own as (select avg((made < 0)::int) loss, avg(${BEATS}) beat from picks)
    select any_value(loss) loss, min(lost) low, max(lost) high, any_value(beat) beat,
      min(better) beat_low, max(better) beat_high from fixed, own`);
  const { share_out_of_sample_loss: lost, share_beating_buy_hold_sharpe: better } =
    site.dataset().headline.overall;
  expect([lost!.value, ...lost!.range!]).toEqual(
    [loss, low, high].map((of) => expect.closeTo(of!, 9)),
  );
  expect([better!.value, ...better!.range!]).toEqual(
    [beat, beat_low, beat_high].map((of) => expect.closeTo(of!, 9)),
  );
  expect(textOf("/dataset")).toContain(
    `a setting fixed blindly: ${(100 * low!).toFixed(0)} to ${percent(high!)}`,
  );
});

test("rules whose picks did better than their settings, beside settings that are fixed blindly", async () => {
  const { rules, better, low, high } = await one(`
    with settings as (select template, median(settings) settings from picks group by template),
    picked as (select template, median(later) later from picks group by template),
    fixed as (select template, variant, median(later) later from runs group by template, variant),
    counts as (select variant, count(*) filter (where later > settings.settings) above
      from fixed join settings using (template) group by variant)
    select count(*) rules, count(*) filter (where picked.later > settings.settings) better,
      (select min(above) from counts) low, (select max(above) from counts) high
    from picked join settings using (template)`);
  expect(textOf("/strategies")).toContain(
    `The picks of ${better} of ${rules} rules did better than the mean of their settings; a setting fixed blindly: ${low} to ${high}`,
  );
});

test("rules that beat holding on most coins, by Sharpe ratio and by return", async () => {
  const { rules, sharpe, made } = await one(`
    with shares as (select template, avg(${BEATS}) sharpe, avg(${BEATS.replaceAll("later", "made").replaceAll("held", "held_pct")}) made
      from picks group by template)
    select count(*) rules, count(*) filter (where sharpe > 0.5) sharpe,
      count(*) filter (where made > 0.5) made from shares`);
  expect(textOf("/strategies")).toContain(
    `${sharpe} of ${rules} rules beat holding on most coins by Sharpe ratio, ${made} by return`,
  );
});

test("a coin's picks stand beside those of all coins", async () => {
  const [first] = await rowsOf("select coin from picks limit 1");
  const coin = String(first!["coin"]);
  const {
    own: above,
    n,
    higher,
    coins,
    total,
    all,
  } = await one(`
    with counts as (select coin, count(*) filter (where later > settings) above, count(later) n from picks group by coin)
    select (select above from counts where coin = '${coin}') own, (select n from counts where coin = '${coin}') n,
      (select count(*) from counts where above > (select above from counts where coin = '${coin}')) higher,
      count(*) coins, sum(above) total, sum(n) "all" from counts`);
  const place = higher === 0 ? "the highest" : `${higher} are higher`;
  expect(textOf(`/coins/${coin}`)).toContain(
    `${above} of ${n} picks did better than the mean of their 13 settings; of ${coins} coins ${place}; over all, ${total} of ${all}`,
  );
});

test("what came after each rating, without a coin, without a year, and in the middle", async () => {
  await database.run(`create or replace table rated as
    with board as (select day, avg(return_30d) board from '${join(folder, "rating_returns.parquet")}' group by day)
    select coin, year(day) y, return_30d - board excess,
      case when score > 0.5 then 'strong_buy' when score > 0.1 then 'buy' when score < -0.5 then 'strong_sell'
        when score < -0.1 then 'sell' else 'neutral' end rating
    from '${join(folder, "rating_returns.parquet")}' join board using (day)
    where score is not null and return_30d is not null`);
  const { classes } = site.worth();
  expect(classes.length).toBe(5);
  for (const of of classes) {
    const { whole, middle, no_coin, no_year } = await one(`
      select avg(excess) whole, median(excess) middle,
        avg(excess) filter (where coin <> '${of.without_coin.coin}') no_coin,
        avg(excess) filter (where y <> ${of.without_year.year}) no_year
      from rated where rating = '${of.rating}'`);
    const told = [of.mean_excess_pct, of.median_excess_pct, of.without_coin.mean_excess_pct];
    expect([...told, of.without_year.mean_excess_pct]).toEqual(
      [whole, middle, no_coin, no_year].map((value) => expect.closeTo(100 * value!, 6)),
    );
  }
});

// The demo is published without permutations, as they take minutes.
test.runIf(own !== undefined)(
  "ways of asking that are beyond luck, and what was left of the lead",
  async () => {
    const { beyond, asked, least, most } = await one(`select
    count(*) filter (where greatest(null_5_p, null_60_p) <= 0.05) beyond, count(*) asked,
    min(share_kept) filter (where "check" like 'split_%' or "check" = 'years') least,
    max(share_kept) filter (where "check" like 'split_%' or "check" = 'years') most
    from $dataset_robustness where null_5_p is not null and "check" <> 'pick_default'`);
    expect(textOf("/dataset")).toContain(
      `In ${beyond} of the ${asked} ways that choose, the lead afterwards was beyond luck; luck puts about ${(asked! / 20).toFixed(0)} there`,
    );
    expect(textOf("/")).toContain(
      `Of the lead of choosing, ${(100 * least!).toFixed(0)} to ${percent(most!)} was left`,
    );
  },
);

test("one band for all months of the index", async () => {
  const { low, high, n } =
    await one(`select quantile_cont("value", 0.05) low, quantile_cont("value", 0.95) high, count(*) n
    from $overfitting_index_draws`);
  const { luck } = site.index();
  const told = (value: number | null | undefined) => (value ?? 0).toFixed(6);
  expect([luck.low, luck.high].map(told)).toEqual([low, high].map(told)); // none in the demo
  expect(luck.draws).toBe(n);
});
