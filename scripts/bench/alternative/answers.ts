import { LRUCache } from "lru-cache";
import { Attribution } from "../../../api/attribution.ts";
import { significant } from "../../../api/significant-digits.ts";
import { dateOfDay } from "../../../quant/calendar.ts";
import { coinOf } from "../../../server/routes/board.ts";
import { dca } from "../../../server/routes/dca.ts";
import { dataOf, type ReadEndpoint } from "../../../server/routes/endpoint.ts";
import { originOf, type SnapshotData } from "../../../server/routes/snapshot-data.ts";
import { overfitting } from "../../../server/routes/overfitting.ts";
import type { Row, SnapshotDatabase } from "./database.ts";

/** How many answers are kept as text. A board is some 150 KB, the whole dataset more than 1 MB, any other a few KB. */
const ANSWERS_MAX = 1_000;

const DCA_SQL = `
SELECT * REPLACE (start_date::VARCHAR AS start_date, worst_date::VARCHAR AS worst_date)
FROM dca WHERE coin = ? AND frequency = ? AND start_date = ?::DATE`;
/** Values that differ by rounding alone do not count as a win. */
const WINS_SQL = `
SELECT avg((lump_sum_value_usd - value_usd > 1e-12 * greatest(lump_sum_value_usd, value_usd))::INTEGER) AS wins
FROM dca WHERE coin = ? AND frequency = ? AND start_date <= ?::DATE - 365`;

interface ResolvedDca {
  readonly coin: string;
  readonly amount: number;
  readonly frequency: string;
  readonly start_date: string;
}

/**
 * The answers of the alternative service, kept as text for the next request. Those that the cache holds after a moment
 * are made by our own code, because how they are made is not measured. The parameters of `/dca` are nearly always new,
 * so it is a query of DuckDB whose row becomes JSON.
 */
export class Answers {
  readonly snapshot: SnapshotData;
  readonly #db: SnapshotDatabase;
  readonly #texts = new LRUCache<string, Promise<string>>({ max: ANSWERS_MAX });
  readonly #wins = new LRUCache<string, Promise<Row[]>>({ max: ANSWERS_MAX });

  constructor(db: SnapshotDatabase, snapshot: SnapshotData) {
    this.snapshot = snapshot;
    this.#db = db;
  }

  /** The answer to a URL whose query has been checked. */
  read(url: string, endpoint: ReadEndpoint, query: unknown): Promise<string> {
    return this.#remembered(url, async () => {
      const resolved = endpoint.resolve(this.snapshot, query as never);
      return dataOf(endpoint, this.snapshot, resolved as never);
    });
  }

  dca(url: string, query: unknown): Promise<string> {
    return this.#remembered(url, async () => {
      const resolved = dca.resolve(this.snapshot, query as never) as unknown as ResolvedDca;
      const { coin: ticker, amount, frequency, start_date: start } = resolved;
      const coin = coinOf(this.snapshot, ticker);
      const [row = {}] = await this.#db.query(DCA_SQL, [ticker, frequency, start]);
      const end = dateOfDay(coin.lastDay);
      const [share = {}] = await this.#winsOf(ticker, frequency, end);
      const plan = dcaJson(row, amount);
      const { comparison } = plan;
      return {
        attribution: Attribution.of(originOf(this.snapshot, coin)),
        coin: ticker,
        amount_usd: amount,
        frequency,
        start_date: start,
        end_date: end,
        ...plan,
        comparison: { ...comparison, lump_sum_wins_pct: percentJson(share, "wins") },
      };
    });
  }

  overfitting(body: unknown): string {
    return JSON.stringify(dataOf(overfitting, this.snapshot, body as never));
  }

  /** The kept answer, or a new one. Concurrent requests for the same answer share one computation. */
  #remembered(url: string, make: () => Promise<object>): Promise<string> {
    const known = this.#texts.get(url);
    if (known !== undefined) return known;
    const text = make().then((data) => JSON.stringify(data));
    this.#texts.set(url, text);
    text.catch(() => this.#texts.delete(url));
    return text;
  }

  #winsOf(coin: string, frequency: string, end: string): Promise<Row[]> {
    const name = `${coin} ${frequency}`;
    const known = this.#wins.get(name);
    if (known !== undefined) return known;
    const rows = this.#db.query(WINS_SQL, [coin, frequency, end]);
    this.#wins.set(name, rows);
    return rows;
  }
}

/** A fraction as a percentage of at most 10 significant digits; null where the table has no number. */
function percentJson(row: Row, name: string): number | null {
  const found = row[name];
  return typeof found === "number" ? significant(found * 100) : null;
}

function dcaJson(row: Row, amount: number) {
  const number = (name: string) => Number(row[name]);
  const [purchases, value, lumpSum] = [
    number("purchases"),
    number("value_usd"),
    number("lump_sum_value_usd"),
  ];
  const tie = Math.abs(lumpSum - value) <= 1e-12 * Math.max(value, lumpSum);
  const difference = tie ? 0 : value - lumpSum;
  return {
    purchases,
    invested_usd: significant(purchases * amount),
    units: significant(number("units") * amount),
    average_cost_usd: significant(purchases / number("units")),
    value_usd: significant(value * amount),
    profit_usd: significant((value - purchases) * amount),
    return_pct: significant((value / purchases - 1) * 100),
    irr_pct: percentJson(row, "irr"),
    worst_return_pct: percentJson(row, "worst_return"),
    worst_date: row["worst_date"],
    days_under_water: row["under_water_days"],
    days_in_profit_pct: percentJson(row, "in_profit_share"),
    lump_sum: {
      units: significant(number("lump_sum_units") * amount),
      value_usd: significant(lumpSum * amount),
      profit_usd: significant((lumpSum - purchases) * amount),
      return_pct: significant((lumpSum / purchases - 1) * 100),
      cagr_pct: percentJson(row, "lump_sum_cagr"),
      max_drawdown_pct: percentJson(row, "lump_sum_max_drawdown"),
    },
    comparison: {
      winner: tie ? "tie" : difference > 0 ? "dca" : "lump_sum",
      difference_usd: significant(difference * amount),
      difference_pct: significant((difference / lumpSum) * 100),
    },
  };
}
