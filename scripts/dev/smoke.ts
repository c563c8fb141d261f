/**
 * Goes the whole way once, as a user would: a nightly run, an account, a server, every endpoint over HTTP. With real
 * prices, figures are compared with a second, independent computation from the same csv files.
 *
 *   node dist/scripts/dev/smoke.js [options]
 *
 *   --prices DIR  folder of daily prices, as csv:DIR takes them (default: the demo market, without the comparison)
 *
 * Exits 1 and lists what did not hold.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buyHoldByYear, readCloses, weeklyDca } from "./recompute.ts";
import { startOurs } from "../bench/servers.ts";
import { ask, type Sent } from "../support/ask.ts";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { ownFolder } from "../support/own-folder.ts";
import { pipelineArgs } from "../support/publish.ts";
import { main, scriptOptions } from "../support/script-options.ts";

const values = scriptOptions(import.meta.url, { prices: { type: "string" } });
const folder = ownFolder("smoke");
const BACKTEST_UNITS = 10;
const BACKTEST_START = "2022-01-01";
const POLL_MS = 50;
const POLLS_MAX = 200;
const RELATIVE_TOLERANCE = 1e-8;
/** BTC closes in dollars that anyone can look up. */
const KNOWN_CLOSES = [
  ["2017-12-17", 18_860.02],
  ["2020-03-12", 4800],
  ["2021-11-09", 66_947.66],
  ["2024-03-13", 73_072.41],
] as const;

let passed = 0;
const failures: string[] = [];

function check(name: string, holds: boolean, detail = ""): void {
  if (holds) passed++;
  else failures.push(`${name}${detail === "" ? "" : `: ${detail}`}`);
}

function near(name: string, got: unknown, expected: number): void {
  const close =
    typeof got === "number" &&
    Math.abs(got - expected) <= RELATIVE_TOLERANCE * Math.max(1, Math.abs(expected));
  check(name, close, `got ${String(got)}, expected ${expected}`);
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
type Json = any;

/** The server, the account's key, and the units of the answers that the account got. */
let [origin, key, charged] = ["", "", 0];

/**
 * Sends a request as the account, and counts the answer as the plan charges it. Polls and looks at the usage are free.
 */
async function askOwn(path: string, sent: Sent = {}) {
  const answer = await ask(origin + path, { key, ...sent });
  const isJob = /\/(backtests|studies)/.test(path);
  if (answer.status === 200 && sent.body !== undefined) charged += isJob ? BACKTEST_UNITS : 1;
  else if (answer.status === 200 && !isJob && !path.endsWith("/usage")) charged++;
  return answer;
}

/**
 * One Sharpe, 45 trials, five years: the minimum backtest length, where the deflated Sharpe ratio is one
 * half.
 */
async function checkOverfitting(): Promise<void> {
  const sent = { sharpe: 1, length_days: 1825, n_trials: 45 };
  const { status, body } = await askOwn("/v1/overfitting", { body: sent });
  const dsr = body.data?.deflated_sharpe_ratio as number;
  check("POST /overfitting at the minimum length is a coin flip", Math.abs(dsr - 0.5) < 1e-3);
  check("POST /overfitting answers 200", status === 200);
}

/** Checks a file of a year of made-up returns, and what came after such Sharpe ratios. */
async function checkFiles(): Promise<void> {
  const days = Array.from({ length: 365 }, (_, day) => {
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
    return `${date},${0.001 + 0.02 * Math.sin(day * day)}`;
  });
  const path = "/v1/check?n_trials=20";
  const { data } = (await askOwn(path, { body: ["date,a", ...days].join("\n") })).body;
  check("POST /check reads every bar", data?.input.bars === 365 && data.verdict.p_value > 0);
  const worth = await askOwn("/v1/rating-worth");
  check("GET /rating-worth has five classes", worth.body.data?.classes.length === 5);
  const rates = await askOwn("/v1/base-rates?sharpe=0.8&length_days=1200");
  check("GET /base-rates has 20 coins", rates.body.data?.afterwards?.coins >= 20);
}

/** Runs one backtest of each template, as many at once as the plan allows. */
async function checkBacktests(templates: Json[]): Promise<void> {
  const started = Date.now();
  const jobs = await Promise.all(
    templates.map(({ name }) =>
      askOwn("/v1/backtests", { body: { strategy: name, start_date: BACKTEST_START } }),
    ),
  );
  for (const [index, job] of jobs.entries()) {
    const { name } = templates[index];
    check(`${name} is taken in`, job.status === 200, JSON.stringify(job.body).slice(0, 200));
    const result = await resultOf(job.body.data?.job_id);
    check(`${name} has a result`, result !== undefined);
    const growth = 1 + (result?.return_pct ?? NaN) / 100;
    near(`${name} ends with its return`, result?.final_equity_usd, 10_000 * growth);
  }
  console.log(`${jobs.length} backtests: ${Date.now() - started} ms`);
}

/** Runs a small study, whose best set must be the best of all that it lists. */
async function checkStudy(): Promise<void> {
  const parameters = { fast: [5, 10, 20], slow: [40, 80] };
  const asked = { strategy: "ma_cross", start_date: BACKTEST_START, parameters };
  const { body } = await askOwn("/v1/studies", { body: asked });
  const result = await resultOf(body.data?.job_id, "studies");
  const sharpes = result?.runs.map((run: Json) => run.sharpe ?? -Infinity) ?? [];
  check("a study lists its sets", sharpes.length === 6, String(sharpes.length));
  near("its best is the best of them", result?.best.run.sharpe, Math.max(...sharpes));
  check("and says its verdict", (result?.sentence ?? "").length > 0);
}

/** The usage that the account sees must match the answers it got. */
async function checkUsage(): Promise<void> {
  const { status, headers, body } = await askOwn("/v1/usage");
  check("GET /usage answers 200", status === 200, JSON.stringify(body).slice(0, 200));
  if (status !== 200) return;
  check("GET /usage is not to be kept", headers.get("cache-control") === "no-store");
  const { plan, quota, calls, keys } = body.data;
  check("the plan is named", plan.name === "smoke");
  const units = calls.reduce((sum: number, row: Json) => sum + row.units, 0);
  check("the calls add up to the quota", units === quota.used && units > 0, `${units}`);
  check("the quota is that of meta", quota.used === body.meta.quota.used);
  check("the usage is what was answered", units === charged, `${units} units, ${charged} answered`);
  check("one key, shown by its ends", keys.length === 1 && keys[0].last_four === key.slice(-4));
  check("no key in full", !JSON.stringify(body).includes(key));
}

/** Runs, picks and the index must be there and say what they are made from. */
async function checkDataset(): Promise<void> {
  const { dataset, picks, picks_total: total } = (await askOwn("/v1/dataset")).body.data;
  const runs = dataset.templates * dataset.coins * dataset.variants;
  check("the dataset has its 11,440 runs", dataset.runs_total === 11_440 && runs === 11_440);
  check("one pick of every 13", total === 880 && picks.length === 880);
  const filtered = (await askOwn("/v1/dataset?template=ma_cross&coin=btc")).body.data;
  check("filters narrow the picks", filtered.picks.length === 1);
  const { current, history } = (await askOwn("/v1/overfitting-index")).body.data;
  check("the index has years of history", history.length >= 40, String(history.length));
  const { value, low, high, components } = current;
  const bounds = [low, value, high].every(Number.isFinite) && low <= value && value <= high;
  check("the current value lies between its bounds", bounds, `${low}, ${value}, ${high}`);
  near("the index is the mean of its layers", value, (components.tuning + components.shopping) / 2);
}

async function resultOf(id: unknown, kind = "backtests"): Promise<Json> {
  for (let tries = 0; tries < POLLS_MAX; tries++) {
    const { data } = (await askOwn(`/v1/${kind}/${String(id)}`)).body;
    if (data?.status === "done") return data.result;
    await sleep(POLL_MS);
  }
  return undefined;
}

async function checkCoin(coin: string): Promise<void> {
  const signals = await askOwn(`/v1/signals?coin=${coin}`);
  const buyHold = await askOwn(`/v1/buy-hold?coin=${coin}`);
  const dca = await askOwn(`/api/v1/dca?coin=${coin}`);
  const history = await askOwn(`/v1/history?coin=${coin}&columns=close`);
  for (const answer of [signals, buyHold, dca, history]) {
    check(`${coin} answers 200`, answer.status === 200, JSON.stringify(answer.body).slice(0, 200));
    if (answer.status !== 200) return;
    check(`${coin} states its licence`, answer.body.data.attribution.license === "CC BY 4.0");
  }
  if (values.prices === undefined) return;
  const closes = readCloses(join(values.prices, `${coin}.csv`), buyHold.body.data.as_of);
  const { close } = history.body.data.columns;
  check(`${coin} has every close`, close.length === closes.length, String(close.length));
  near(`${coin} close`, close.at(-1), closes.at(-1)?.close ?? NaN);
  near(`${coin} close`, signals.body.data.signal.close_usd, closes.at(-1)?.close ?? NaN);
  for (const expected of buyHoldByYear(closes)) {
    const year = buyHold.body.data.years.find((row: Json) => row.year === expected.year);
    near(`${coin} ${expected.year} return`, year?.return_pct, expected.return_pct);
    near(`${coin} ${expected.year} drawdown`, year?.max_drawdown_pct, expected.max_drawdown_pct);
  }
  const plan = weeklyDca(closes, 100);
  near(`${coin} purchases`, dca.body.data.purchases, plan.purchases);
  near(`${coin} invested`, dca.body.data.invested_usd, plan.invested_usd);
  near(`${coin} units`, dca.body.data.units, plan.units);
  near(`${coin} value`, dca.body.data.value_usd, plan.value_usd);
}

async function checkErrors(): Promise<void> {
  const cases = [
    ["/v1/signals?coin=nope", key, 400, "unknown_coin"],
    ["/v1/buy-hold", key, 400, "missing_parameter"],
    ["/v1/dca?coin=btc&amount=0", key, 400, "invalid_parameter"],
    ["/v1/dca?coin=btc&start_date=1999-01-01", key, 400, "start_date_out_of_range"],
    ["/v1/strategies?x=1", key, 400, "invalid_parameter"],
    ["/v1/strategies", "hs_live_wrong", 401, "invalid_api_key"],
    ["/v1/nothing", key, 404, "not_found"],
  ] as const;
  for (const [path, withKey, status, code] of cases) {
    const { status: got, body } = await ask(origin + path, { key: withKey });
    check(`${path} is ${status} ${code}`, got === status && body.error.code === code, String(got));
    const page = await fetch(body.error.docs_url);
    const anchor = new URL(body.error.docs_url).hash.slice(1);
    check(`${code} is documented`, page.ok && (await page.text()).includes(`id="${anchor}"`));
  }
}

async function checkService(): Promise<void> {
  const board = (await askOwn("/v1/signals")).body.data.board as Json[];
  check("the board has 50 coins", board.length === 50, String(board.length));
  for (const { coin } of board) await checkCoin(coin);
  const { templates } = (await askOwn("/v1/strategies")).body.data;
  check("22 templates at least", templates.length >= 22, String(templates.length));
  check(
    "13 variants each",
    templates.every((row: Json) => row.variants.length === 13),
  );
  if (values.prices !== undefined) {
    for (const [date, close] of KNOWN_CLOSES) {
      const { body } = await askOwn(`/v1/signals?coin=btc&date=${date}`);
      near(`btc close of ${date}`, body.data?.signal?.close_usd, close);
    }
  }
  await checkOverfitting();
  await checkFiles();
  await checkDataset();
  await checkBacktests(templates);
  await checkStudy();
  await checkErrors();
  await checkUsage();
  for (const path of ["/openapi.json", "/healthz", "/readyz", "/docs"]) {
    check(`${path} answers without a key`, (await fetch(origin + path)).ok);
  }
}

async function goTheWholeWay(): Promise<void> {
  const source = values.prices === undefined ? "demo" : `csv:${values.prices}`;
  const snapshots = join(folder, "snapshots");
  const state = join(folder, "state.db");
  const plans = join(folder, "plans.json");
  // The smoke test sends several hundred requests at once, which no plan on sale allows in a minute.
  const allowed = { calls_per_month: 1e6, rate_per_minute: 1e5, concurrent_runs: 50 };
  const plan = { name: "smoke", price_usd: null, backtest_units: BACKTEST_UNITS, ...allowed };
  writeFileSync(plans, JSON.stringify({ plans: [plan] }));
  const started = Date.now();
  await runScript(HINDSIGHT, pipelineArgs(source, snapshots));
  console.log(`pipeline --source ${source}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  await runScript(HINDSIGHT, ["snapshot", "verify", "--snapshots", snapshots]);
  const account = ["--email", "smoke@hindsight.invalid", "--plan", "smoke", "--plans", plans];
  const create = ["accounts", "create", ...account, "--state", state, "--json"];
  ({ key } = JSON.parse(await runScript(HINDSIGHT, create)) as { key: string });
  const service = await startOurs(snapshots, { state, plans });
  ({ origin } = service);
  await checkService();
  check("SIGTERM ends the server with 0", (await service.stop()) === 0);
}

await main(async () => {
  await goTheWholeWay().catch((error: unknown) => failures.push(String(error)));
  for (const failure of failures) console.error(`failed: ${failure}`);
  console.log(`smoke: ${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
});
