import { LRUCache } from "lru-cache";
import { dateOfDay } from "../../../quant/calendar.ts";
import { attributionOf } from "../../../server/routes/attribution.ts";
import { overfitting } from "../../../server/routes/overfitting.ts";
import { significant } from "../../../quant/significant-digits.ts";
import type { SnapshotData } from "../../../server/routes/snapshot-data.ts";
import type { Manifest, ManifestCoin } from "../../../snapshots/manifest.ts";
import type { Row, SnapshotDatabase } from "./database.ts";
import { datasetJson, type DatasetFilters } from "./dataset-json.ts";
import { numberJson, percentJson, readingJson, READINGS_SQL } from "./reading-json.ts";

/** Answers kept as text: a board is some 150 KB, the whole dataset more than 1 MB, all others a few KB. */
const ANSWERS_MAX = 1_000;

const BOARD_SQL = `${READINGS_SQL} ORDER BY s.rowid`;
const READING_SQL = `${READINGS_SQL} WHERE s.coin = ?`;
const CLOSE_SQL = "SELECT arg_max(close, day) AS close FROM prices WHERE coin = ?";
const YEARS_SQL = `
SELECT * REPLACE (entry_date::VARCHAR AS entry_date, peak_date::VARCHAR AS peak_date,
  drawdown_from::VARCHAR AS drawdown_from, drawdown_to::VARCHAR AS drawdown_to)
FROM buy_hold WHERE coin = ? ORDER BY year`;
const DCA_SQL = `
SELECT * REPLACE (start_date::VARCHAR AS start_date, worst_date::VARCHAR AS worst_date)
FROM dca WHERE coin = ? AND frequency = ? AND start_date = ?::DATE`;
/** Values that differ by rounding alone do not count as a win. */
const WINS_SQL = `
SELECT avg((lump_sum_value_usd - value_usd > 1e-12 * greatest(lump_sum_value_usd, value_usd))::INTEGER) AS wins
FROM dca WHERE coin = ? AND frequency = ? AND start_date <= ?::DATE - 365`;

export interface DcaQuery {
  readonly coin: string;
  readonly amount: number;
  readonly frequency: string;
  readonly start_date?: string;
}

/**
 * The answers of the alternative service: a few queries each, JSON made from the rows, and the text kept for
 * the next request.
 */
export class Answers {
  readonly snapshotId: string;
  readonly #db: SnapshotDatabase;
  readonly #snapshot: SnapshotData;
  readonly #coins: ReadonlyMap<string, ManifestCoin>;
  readonly #texts = new LRUCache<string, Promise<string>>({ max: ANSWERS_MAX });
  readonly #wins = new LRUCache<string, Promise<Row[]>>({ max: ANSWERS_MAX });

  constructor(db: SnapshotDatabase, manifest: Manifest) {
    this.snapshotId = manifest.id;
    this.#db = db;
    // The attribution reads nothing else from a snapshot.
    this.#snapshot = { id: manifest.id, manifest } as unknown as SnapshotData;
    this.#coins = new Map(manifest.coins.map((coin) => [coin.ticker, coin]));
  }

  coin(ticker: string): ManifestCoin | undefined {
    return this.#coins.get(ticker);
  }

  signals(ticker: string | undefined): Promise<string> {
    return this.#remembered(`signals ${ticker}`, async () => {
      if (ticker !== undefined) {
        const coin = this.#known(ticker);
        const [row = {}] = await this.#db.query(READING_SQL, [ticker]);
        const as_of = dateOfDay(coin.lastDay);
        return { ...this.#attribution(coin), as_of, signal: readingJson(row) };
      }
      const rows = await this.#db.query(BOARD_SQL);
      const as_of = dateOfDay(this.#snapshot.manifest.asOf);
      return { ...this.#attribution(), as_of, board: rows.map(readingJson) };
    });
  }

  buyHold(ticker: string): Promise<string> {
    return this.#remembered(`buy-hold ${ticker}`, async () => {
      const coin = this.#known(ticker);
      const [last = {}] = await this.#db.query(CLOSE_SQL, [ticker]);
      const years = await this.#db.query(YEARS_SQL, [ticker]);
      return {
        ...this.#attribution(coin),
        coin: ticker,
        as_of: dateOfDay(coin.lastDay),
        close_usd: numberJson(last, "close"),
        years: years.map(yearJson),
      };
    });
  }

  dca(query: DcaQuery): Promise<string> {
    const coin = this.#known(query.coin);
    const start = query.start_date ?? dateOfDay(coin.firstDay);
    const name = `dca ${query.coin} ${query.frequency} ${start} ${query.amount}`;
    return this.#remembered(name, async () => {
      const [row = {}] = await this.#db.query(DCA_SQL, [query.coin, query.frequency, start]);
      const end = dateOfDay(coin.lastDay);
      const [share = {}] = await this.#winsOf(query.coin, query.frequency, end);
      const plan = dcaJson(row, query.amount);
      const { comparison } = plan;
      return {
        ...this.#attribution(coin),
        coin: query.coin,
        amount_usd: query.amount,
        frequency: query.frequency,
        start_date: start,
        end_date: end,
        ...plan,
        comparison: { ...comparison, lump_sum_wins_pct: percentJson(share, "wins") },
      };
    });
  }

  dataset(filters: DatasetFilters): Promise<string> {
    return this.#remembered(`dataset ${filters.template} ${filters.coin}`, async () => ({
      ...this.#attribution(),
      ...(await datasetJson(this.#db, filters)),
    }));
  }

  /** Uses the library's mathematics, which does not depend on the server. */
  overfitting(body: unknown): string {
    return JSON.stringify(overfitting.answer(this.#snapshot, body as never));
  }

  #attribution(coin?: ManifestCoin): object {
    return { attribution: attributionOf(this.#snapshot, coin) };
  }

  #known(ticker: string): ManifestCoin {
    const coin = this.#coins.get(ticker);
    if (coin === undefined) throw new RangeError(`coin "${ticker}" is not on the board`);
    return coin;
  }

  /** One query for all concurrent requests for the same, and none for later ones. */
  #remembered(name: string, make: () => Promise<object>): Promise<string> {
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const text = make().then((data) => JSON.stringify(data));
    this.#texts.set(name, text);
    text.catch(() => this.#texts.delete(name));
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

function yearJson(row: Row): object {
  return {
    year: row["year"],
    entry_date: row["entry_date"],
    entry_price_usd: numberJson(row, "entry_price_usd"),
    days_held: row["held_days"],
    value_of_1000_usd: numberJson(row, "value_of_1000_usd"),
    return_pct: percentJson(row, "total_return"),
    cagr_pct: percentJson(row, "cagr"),
    peak_date: row["peak_date"],
    peak_price_usd: numberJson(row, "peak_price_usd"),
    peak_return_pct: percentJson(row, "peak_return"),
    max_drawdown_pct: percentJson(row, "max_drawdown"),
    drawdown_from: row["drawdown_from"],
    drawdown_to: row["drawdown_to"],
    partial: row["partial"],
  };
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
