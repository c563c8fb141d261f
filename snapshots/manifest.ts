import { camelCase, snakeCase } from "../quant/letter-case.ts";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { dateOfDay, dayOfDate } from "../quant/calendar.ts";
import { readIfThere } from "./folder.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { CONTENT_HASH_LENGTH, parseSnapshotId } from "./snapshot-id.ts";

/**
 * A snapshot's description of itself. Here in memory, days are integers; `manifest.json` holds the same in
 * snake_case, with dates as text.
 */
export interface Manifest {
  readonly formatVersion: number;
  /** Folder name: `<as_of>T<run instant>-<content hash>`. */
  readonly id: string;
  /** The last complete UTC day of the run. */
  readonly asOf: number;
  /** RFC 3339 instant of the run. */
  readonly createdAt: string;
  /** Name of the source: `csv`, `demo`, `exchange:binance`. Never a path. */
  readonly source: string;
  /** True when the prices come from the built-in demo market. */
  readonly synthetic: boolean;
  /** The coins that have a history, in board order. */
  readonly coins: readonly ManifestCoin[];
  /** Board coins without a history, and why, in plain words. */
  readonly leftOut: readonly LeftOutCoin[];
  /** What the run was given and what it found, for example `{"board_coins": 50}`. Keys are snake_case. */
  readonly parameters: Readonly<Record<string, string | number | boolean | null>>;
  /** Versions of the software that computed and wrote the files: hindsight, node, duckdb, apache_arrow. */
  readonly versions: Readonly<Record<string, string>>;
  /** Every file except the manifest and `SHA256SUMS`, by name. */
  readonly files: readonly ManifestFile[];
}

export interface ManifestCoin {
  readonly ticker: string;
  readonly name: string;
  /** The market's name on exchanges: `BTC/USDT`. */
  readonly symbol: string;
  /** Symbols it had before, as the board names them: their last days, and what their prices were multiplied by. */
  readonly earlier?: readonly {
    readonly symbol: string;
    readonly until: number;
    readonly factor: number;
  }[];
  readonly firstDay: number;
  readonly lastDay: number;
  readonly days: number;
  /** Whether the last day is more than 2 days before the snapshot's. */
  readonly stale: boolean;
  readonly quality: CoinQualityRecord;
}

export interface LeftOutCoin {
  readonly ticker: string;
  readonly name: string;
  readonly reason: string;
}

/** How this run arrived at a coin's history. */
export interface CoinQualityRecord {
  /** Rows that the source supplied, readable or not. */
  readonly rowsRead: number;
  /** Days accepted from this run's rows. */
  readonly accepted: number;
  /** Days of short gaps, filled with the last close. */
  readonly filled: number;
  /** Number of refused rows by reason; the table `rejects` lists them. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Refusals that are counted above but not listed, because there were too many. */
  readonly rejectsUnlisted: number;
  /** Rows that exactly repeat another one. */
  readonly duplicatesDropped: number;
  /** Rows of the current, incomplete day. */
  readonly incompleteDropped: number;
  /** Rows later than as_of. */
  readonly afterAsOf: number;
  /** First day after the last gap that was too long to fill, or null when there was none. */
  readonly restartedAt: number | null;
  /** Days with a price before that gap. */
  readonly daysBeforeGapLeftOut: number;
  /** Published days that are not in this run's rows and were kept. */
  readonly carried: number;
  /** Published days that the source no longer lists, if it always lists all it has. */
  readonly withdrawn: number;
  /** Days that were filled when last published and have a row now. */
  readonly lateRows: number;
  /** Published days that the source has changed since then. */
  readonly revisedDays: number;
  /** The first of the changed values. */
  readonly revisions: readonly Revision[];
  /** Days on which the coin's unit seems to have changed. Prices are as the source has them. */
  readonly unitChanges: readonly UnitChange[];
  /** Why this run could read nothing of the coin, or null. */
  readonly fault: string | null;
}

/** One published value that the source has changed since. */
export interface Revision {
  readonly day: number;
  /** A price or the volume. */
  readonly column: string;
  readonly before: number;
  readonly after: number;
}

/** A day from which a coin seems to be quoted in another unit. */
export interface UnitChange {
  readonly day: number;
  /** The power of ten by which its prices changed: 0.001 where 1,000 new make 1 old. */
  readonly factor: number;
}

export interface ManifestFile {
  readonly name: string;
  readonly bytes: number;
  /** Rows of the table in the file; null for the database, which holds all tables. */
  readonly rows: number | null;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Raise this when a table has other columns, or a reader of the old format would misread the new one. */
export const FORMAT_VERSION = 4;
/** A run can continue snapshots from this version on: their manifests, prices and published months read the same. */
const FORMAT_VERSION_MIN = 1;
export const MANIFEST_FILE = "manifest.json";
/**
 * In `sha256sum` format and including the manifest: `sha256sum -c SHA256SUMS` checks a snapshot without this program.
 */
export const CHECKSUMS_FILE = "SHA256SUMS";

const DAY_MEMBERS = new Set(["asOf", "firstDay", "lastDay", "restartedAt", "day", "until"]);
/** Members whose own keys are data and are not renamed. */
const MAP_MEMBERS = new Set(["parameters", "versions", "rejected"]);

/** The text of `manifest.json`. */
export function encodeManifest(manifest: Manifest): string {
  const day = (value: unknown) => (typeof value === "number" ? dateOfDay(value) : value);
  return `${JSON.stringify(translated("", manifest, snakeCase, day), null, 2)}\n`;
}

/** A value of the manifest with its members renamed and its days translated, however deep; `name` is that in memory. */
function translated(
  name: string,
  value: unknown,
  renamed: (name: string) => string,
  day: (value: unknown) => unknown,
): unknown {
  if (DAY_MEMBERS.has(name)) return day(value);
  if (typeof value !== "object" || value === null || MAP_MEMBERS.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => translated("", item, renamed, day));
  const members = Object.entries(value).map(([member, inner]) => [
    renamed(member),
    translated(camelCase(member), inner, renamed, day),
  ]);
  return Object.fromEntries(members) as unknown;
}

/**
 * Reads the text of `manifest.json`, which errors call `what`. Only the format version is checked: the checksum
 * already shows whether the text is the one that was written.
 */
export function decodeManifest(text: string, what: string = MANIFEST_FILE): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new SnapshotError(`${what} is not valid JSON`, { cause: error });
  }
  const version = (json as { format_version?: unknown } | null)?.format_version;
  if (typeof version !== "number" || version < FORMAT_VERSION_MIN || version > FORMAT_VERSION) {
    throw new SnapshotError(
      `${what} has format version ${JSON.stringify(version) ?? "none"}, this program reads version ${FORMAT_VERSION}`,
    );
  }
  const day = (value: unknown) => (typeof value === "string" ? dayOfDate(value) : value);
  return translated("", json, camelCase, day) as Manifest;
}

/** The text of `SHA256SUMS`. */
export function encodeChecksums(files: readonly ManifestFile[], manifestText: string): string {
  const lines = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  return [...lines, `${sha256Of(manifestText)}  ${MANIFEST_FILE}\n`].join("");
}

/**
 * Short hash of a snapshot's data: the same for the same data, whenever and wherever it was computed. The database is
 * left out, because DuckDB does not write the same bytes twice.
 */
export function contentHashOf(
  facts: Pick<Manifest, "asOf" | "source" | "synthetic" | "files">,
): string {
  const files = facts.files
    .filter(({ name }) => name.endsWith(".parquet") || name.endsWith(".arrow"))
    .map(({ name, sha256 }) => `${sha256}  ${name}`)
    .sort();
  const text = [dateOfDay(facts.asOf), facts.source, String(facts.synthetic), ...files].join("\n");
  return sha256Of(text).slice(0, CONTENT_HASH_LENGTH);
}

/** The manifest of a snapshot, checked against `SHA256SUMS` and against the name of its folder. */
export async function readManifest(dir: string): Promise<Manifest> {
  const id = basename(resolve(dir));
  if (parseSnapshotId(id) === undefined) {
    throw new SnapshotError(
      `"${dir}" is not the folder of a snapshot: its name is not a snapshot id`,
    );
  }
  const about = (file: string) => `snapshot "${id}": ${file}`;
  const textOf = async (file: string) => {
    const text = await readIfThere(join(dir, file), about(file));
    if (text === undefined) {
      const fault = existsSync(dir) ? "damaged" : "gone";
      throw new SnapshotError(`${about(file)} is missing`, { fault });
    }
    return text;
  };
  const text = await textOf(MANIFEST_FILE);
  const checksums = await textOf(CHECKSUMS_FILE);
  const manifest = decodeManifest(text, about(MANIFEST_FILE));
  if (!Array.isArray(manifest.files) || checksums !== encodeChecksums(manifest.files, text)) {
    throw new SnapshotError(`${about(MANIFEST_FILE)} does not match ${CHECKSUMS_FILE}`);
  }
  if (manifest.id !== id || !id.endsWith(`-${contentHashOf(manifest)}`)) {
    throw new SnapshotError(about(`the folder holds snapshot "${manifest.id}"`));
  }
  return manifest;
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
