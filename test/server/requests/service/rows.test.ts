import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { CATALOGUE } from "../../../../quant/strategies/catalogue.ts";
import { parsedCsv } from "../../../support/parsed-csv.ts";
import type { Json } from "../../../support/json.ts";
import { sendRaw } from "../../../support/http-raw.ts";
import { sharedServer, usedBy } from "../../../support/server-fixture.ts";
import { MARKET, marketSnapshot } from "../../../support/server-market.ts";

const { server, key, raw } = await sharedServer();

const withParameter = (path: string, pair: string) =>
  `/v1${path}${path.includes("?") ? "&" : "?"}${pair}`;
const json = async (path: string): Promise<Json> => (await server.get(path, key)).json();
const csv = async (path: string) => parsedCsv(await (await server.get(path, key)).text());

/** A row of JSON as CSV has it, written a second time. */
function cellsOf(row: Json, prefix = ""): [string, string][] {
  return Object.entries(row).flatMap(([name, value]: [string, Json]): [string, string][] => {
    const isCell = name === "params" || typeof value !== "object" || value === null;
    if (!isCell) return cellsOf(value, `${prefix}${name}_`);
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return [[prefix + name, value === null ? "" : text]];
  });
}

/** The cells that differ. Where a null stands for an object, its members are empty in CSV. */
function faults(rows: readonly Record<string, string>[], expected: readonly Json[]): string[] {
  if (rows.length !== expected.length) return [`${rows.length} rows of ${expected.length}`];
  return expected.flatMap((row, at) => {
    const cells = new Map(cellsOf(row));
    const missing = [...cells].filter(([name, text]) => text !== "" && !(name in rows[at]!));
    const wrong = Object.entries(rows[at]!).filter(([name, text]) => {
      const isUnderNull = [...cells].some(([each, cell]) => name.startsWith(`${each}_`) && !cell);
      return text !== (isUnderNull ? "" : cells.get(name));
    });
    return [...missing, ...wrong].map(([name, text]) => `${at} ${name} ${text}`);
  });
}

const COINS = MARKET.map(({ ticker }) => ticker);

describe("the rows of CSV are those of JSON, to the digit:", () => {
  test.each([
    ["/signals", (data: Json) => data.board],
    ["/signals?date=2020-03-01", (data: Json) => data.board],
    [
      "/history?coin=btc&columns=close,macd_line,obv&step=week",
      ({ dates, partial, columns }: Json) =>
        dates.map((date: string, row: number) => ({
          date,
          partial: partial && row === dates.length - 1,
          close: columns.close[row],
          macd_line: columns.macd_line[row],
          obv: columns.obv[row],
        })),
    ],
    ...COINS.flatMap((coin) => [
      [`/signals?coin=${coin}`, (data: Json) => [data.signal]] as const,
      [`/buy-hold?coin=${coin}`, (data: Json) => data.years] as const,
      [
        `/dca?coin=${coin}&frequency=monthly`,
        (data: Json) => [{ ...data, attribution: null }],
      ] as const,
      [`/dataset?coin=${coin}`, (data: Json) => data.picks] as const,
    ]),
    ...CATALOGUE.map(
      ({ name }) => [`/dataset?template=${name}`, (data: Json) => data.picks] as const,
    ),
    ["/dataset", (data: Json) => data.picks],
    ["/overfitting-index", (data: Json) => data.history],
    [
      "/strategies",
      ({ templates }: Json) =>
        templates.flatMap(({ name: template, family, variants }: Json) =>
          variants.map((variant: Json) => ({ template, family, ...variant })),
        ),
    ],
    ["/usage", (data: Json) => data.calls],
    ["/snapshots", (data: Json) => data.files],
  ] as const)("%s", async (path, rowsOf: (data: Json) => Json[]) => {
    const [first, second] = [withParameter(path, "format=csv"), `/v1${path}`];
    const rows = await csv(first);
    expect(faults(rows, rowsOf((await json(second)).data))).toEqual([]);
  });
});

describe("an answer in CSV", () => {
  const id = marketSnapshot().id;

  test("says in its headers what it is, and how it may be used", async () => {
    const response = await server.get("/v1/buy-hold?coin=btc", key, { accept: "text/csv" });
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": 'attachment; filename="hindsight-buy-hold-btc-2022-06-18-demo.csv"',
      link: '<https://creativecommons.org/licenses/by/4.0/>; rel="license"; title="Hindsight, from the made-up prices of its demo market, CC BY 4.0"',
      synthetic: "true",
      vary: "Accept, Accept-Encoding",
      etag: `W/"${id}/buy-hold?coin=btc&format=csv"`,
    });
    const [header = ""] = (await response.text()).split("\r\n");
    expect(header).toMatch(/^year,entry_date,entry_price_usd,/);
  });

  test("costs a call, and none when it has not changed", async () => {
    const own = await server.key("roomy", "csv@example.com");
    const path = "/v1/dataset?coin=btc&format=csv";
    const first = await server.get(path, own);
    expect(usedBy(server, own)).toBe(1);
    const etag = first.headers.get("etag")!;
    const second = await server.get(path, own, { "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(usedBy(server, own)).toBe(1);
    const inJson = await server.get("/v1/dataset?coin=btc", own, { "if-none-match": etag });
    expect(inJson.status).toBe(200);
  });

  test("is as long by HEAD, and the same when compressed", async () => {
    const path = "/v1/signals?format=csv";
    const plain = await (await server.get(path, key)).text();
    const asked = async (method: string, ...headers: string[]) => {
      const { responses } = await sendRaw(server.http.port, raw(`${method} ${path}`, headers), {
        head: method === "HEAD",
      });
      return responses[0]!;
    };
    const head = await asked("HEAD");
    expect(Number(head.headers["content-length"])).toBe(Buffer.byteLength(plain));
    expect(head.headers["content-disposition"]).toContain("hindsight-signals-2022-06-18-demo.csv");
    const zipped = await asked("GET", "Accept-Encoding: gzip");
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(Buffer.from(zipped.body, "latin1")).toString()).toBe(plain);
  });

  test("does not exist where there are no rows", async () => {
    const asked = await server.get("/v1/base-rates?sharpe=1&length_days=700", key, {
      accept: "text/csv",
    });
    expect(asked.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const named = await server.get("/v1/base-rates?sharpe=1&length_days=700&format=csv", key);
    expect(named.status).toBe(400);
  });

  test("of errors is JSON", async () => {
    const response = await server.get("/v1/buy-hold?coin=btx&format=csv", key);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      400,
      "application/json; charset=utf-8",
    ]);
  });
});

describe("a backtest's rows", () => {
  const submit = async (own: string) => {
    const body = { strategy: "supertrend", coin: "btc", start_date: "2021-01-01" };
    const { data }: Json = await (await server.post("/v1/backtests", own, body)).json();
    return `/v1/backtests/${data.job_id}`;
  };

  test("are those of its equity or its trades, once it is done", async () => {
    const own = await server.key("paid", "rows@example.com");
    const job = await submit(own);
    const get = (query: string) => server.get(`${job}?${query}`, own);
    const waiting = await get("format=csv");
    expect(waiting.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(waiting.headers.get("retry-after")).toBe("1");
    expect(((await waiting.json()) as Json).data.status).toBe("queued");
    server.runNext();
    const { data }: Json = await (await get("")).json();
    const equity = parsedCsv(await (await get("format=csv")).text());
    expect(faults(equity, data.result.equity_curve)).toEqual([]);
    expect(equity.length).toBeGreaterThan(500);
    const trades = await get("format=csv&part=trades");
    expect(trades.headers.get("content-disposition")).toMatch(/hindsight-backtests-\d+-trades-/);
    expect(faults(parsedCsv(await trades.text()), data.result.trades)).toEqual([]);
    const wrong = await get("part=fees");
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining(
        'parameter \\"part\\" must be \\"equity\\" or \\"trades\\"',
      ) as string,
    ]);
  });

  test("and members can be named", async () => {
    const own = await server.key("paid", "members@example.com");
    const job = await submit(own);
    server.runNext();
    const fields = "status,result.sharpe,result.trades.return_pct";
    const named: Json = await (await server.get(`${job}?fields=${fields}`, own)).json();
    const whole: Json = await (await server.get(job, own)).json();
    const { attribution, status, result } = whole.data;
    expect(named.data).toEqual({
      attribution,
      status,
      result: {
        sharpe: result.sharpe,
        trades: result.trades.map(({ return_pct: each }: Json) => ({ return_pct: each })),
      },
    });
    const wrong = await server.get(`${job}?fields=result.sharp`, own);
    expect(await wrong.text()).toContain('nearest: \\"result.sharpe\\"');
  });
});

describe("named members", () => {
  const named = async (path: string, fields: string) =>
    (await json(withParameter(path, `fields=${fields}`))).data;
  const refused = async (path: string, fields: string) => {
    const response = await server.get(withParameter(path, `fields=${fields}`), key);
    const { error }: Json = await response.json();
    return [response.status, error.message];
  };

  test("are all that an answer has, in its own order, with its attribution", async () => {
    const whole = (await json("/v1/buy-hold?coin=btc")).data;
    const data = await named("/buy-hold?coin=btc", "years.return_pct,coin,years.year");
    expect(Object.keys(data)).toEqual(["attribution", "coin", "years"]);
    expect(data.attribution).toEqual(whole.attribution);
    expect(data.years).toEqual(
      whole.years.map(({ year, return_pct: result }: Json) => ({ year, return_pct: result })),
    );
    expect(Object.keys(data.years[0])).toEqual(["year", "return_pct"]);
  });

  test("whole and in part are whole", async () => {
    const whole = (await json("/v1/dca?coin=btc")).data;
    const data = await named("/dca?coin=btc", "lump_sum.units,lump_sum");
    expect(data).toEqual({ attribution: whole.attribution, lump_sum: whole.lump_sum });
  });

  test("of maps are named by key, and a key that is nowhere is refused", async () => {
    const data = await named("/dataset", "headline.by_coin.btc.mean_pbo,picks.params.fast");
    expect(Object.keys(data.headline.by_coin)).toEqual(["btc"]);
    expect(Object.keys(data.headline.by_coin.btc)).toEqual(["mean_pbo"]);
    expect(data.picks.map(({ params }: Json) => Object.keys(params))).toEqual([
      ["fast"],
      [],
      ["fast"],
      [],
    ]);
    expect(await refused("/dataset", "headline.by_coin.btx")).toEqual([
      400,
      'parameter "fields": there is no member "headline.by_coin.btx"; nearest: "headline.by_coin.btc"',
    ]);
    expect((await refused("/dataset", "picks.params.quick"))[0]).toBe(400);
  });

  test("that are not there are refused, with the nearest one", async () => {
    expect(await refused("/buy-hold?coin=btc", "years.return")).toEqual([
      400,
      'parameter "fields": there is no member "years.return"; nearest: "years.return_pct"',
    ]);
    for (const fields of ["", "years.", "years.year.x", "years..year", "__proto__", "toString"]) {
      expect((await refused("/buy-hold?coin=btc", fields))[0], `of ${fields}`).toBe(400);
    }
    const one = (await refused("/signals?coin=btc", "signal.indicators.rsi.valu"))[1];
    expect(one).toContain('nearest: "signal.indicators.rsi.value"');
  });

  test("choose the columns of CSV", async () => {
    const path = "/v1/signals?format=csv&fields=board.coin,board.indicators.ema.10,board.close_usd";
    const [row] = await csv(path);
    expect(Object.keys(row!)).toEqual([
      "coin",
      "close_usd",
      "indicators_ema_10_value",
      "indicators_ema_10_signal",
    ]);
    const variants = await csv(
      "/v1/strategies?format=csv&fields=templates.name,templates.variants.variant",
    );
    expect(variants[14]).toEqual({ template: CATALOGUE[1]!.name, variant: "2" });
    const fast = await csv("/v1/dataset?format=csv&fields=picks.params.fast");
    expect(fast.map((each) => each["params_fast"] !== "")).toEqual([true, false, true, false]);
    expect((await refused("/buy-hold?coin=btc&format=csv", "coin"))[1]).toContain("no column");
  });

  test("are one answer whatever their order, tagged by them, at the price of a call", async () => {
    const own = await server.key("roomy", "fields@example.com");
    const get = (fields: string, tag = "") =>
      server.get(`/v1/buy-hold?coin=eth&fields=${fields}`, own, { "if-none-match": tag });
    const first = await get("coin,as_of,coin");
    const etag = first.headers.get("etag")!;
    expect(etag).toContain("/buy-hold?coin=eth&fields=as_of,coin");
    expect(usedBy(server, own)).toBe(1);
    expect((await get("as_of,coin", etag)).status).toBe(304);
    expect((await get("as_of", etag)).status).toBe(200);
    expect(usedBy(server, own)).toBe(2);
  });

  test("of a check and of POST /overfitting", async () => {
    const body = { sharpe: 1.8, length_days: 730, n_trials: 100 };
    const response = await server.post("/v1/overfitting?fields=verdict", key, body);
    const { data }: Json = await response.json();
    expect(Object.keys(data)).toEqual(["attribution", "verdict"]);
    const wrong = await server.post("/v1/check?fields=verdict.values", key, "a,b\n");
    expect(await wrong.text()).toContain('nearest: \\"verdict.value\\"');
  });
});
