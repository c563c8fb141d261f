/**
 * What a snapshot says of itself. In memory as here; `manifest.json` holds the same in snake_case, dates as text
 * (`manifest-file.ts`). Days are integers since 1970-01-01.
 */
export interface Manifest {
  readonly formatVersion: number;
  /** Folder name: `<as_of>T<run instant>-<content hash>`. */
  readonly id: string;
  /** The last complete UTC day of the run. */
  readonly asOf: number;
  /** RFC 3339 instant of the run, the only thing here that the input does not decide. */
  readonly createdAt: string;
  /** Kind of source: `demo`, `csv` or `exchange:NAME`. Never a path. */
  readonly source: string;
  /** True when the prices come from the built-in demo market. */
  readonly synthetic: boolean;
  /** In board order. */
  readonly coins: readonly ManifestCoin[];
  /** What the run was told, for example `{"board": 50}`: text, numbers, booleans. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** Versions of what computed and wrote the files: hindsight, node, duckdb, apache-arrow. */
  readonly versions: Readonly<Record<string, string>>;
  /** Every file but the manifest, by name. */
  readonly files: readonly ManifestFile[];
}

/** One coin and the quality record of its history. */
export interface ManifestCoin {
  readonly ticker: string;
  readonly name: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly days: number;
  /** Days of a short gap that took the last close. */
  readonly filled: number;
  /** Input rows that were refused; they stand in the table `rejects`. */
  readonly rejected: number;
  /** The last day is more than 2 days before the snapshot's. */
  readonly stale: boolean;
  /** First day behind the last gap that was too long to fill, or null when there was none. */
  readonly restarted: number | null;
  /** Days whose stored bar differs from what the source now says. */
  readonly revised: number;
}

export interface ManifestFile {
  readonly name: string;
  readonly bytes: number;
  /** Rows of the table in the file; null for the database, which holds all tables. */
  readonly rows: number | null;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Raised when a reader of the old form would misread the new one. */
export const FORMAT_VERSION = 1;
