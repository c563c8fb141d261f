import { settleDays } from "../price-rules/days.ts";
import { WHAT_TO_DO, refusalOf } from "../price-rules/screen.ts";
import { quoted } from "./csv-advice.ts";
import { RAW_LENGTH_MAX } from "../price-rules/raw-row.ts";
import type { RawRow, RejectReason, RowFault } from "../price-rules/raw-row.ts";

/** A coin whose file loses more than this share of its rows is left out: what remains is hardly its history. */
const REFUSED_SHARE_MAX = 0.1;

interface Refusal {
  readonly line: number;
  /** Of several refusals of a kind, the first has it. */
  readonly why: string | undefined;
}

type Rows = { readonly rows: readonly RawRow[]; readonly faults: readonly RowFault[] };

/**
 * Why a file loses so many of its rows, whatever the day of the run, that its coin is left out: everything that is
 * wrong with them, so that it can be mended at once. Undefined where it does not lose so many. A last line that was
 * being written, and days before a gap, are not counted.
 */
export function tooManyRefused(file: Rows): string | undefined {
  const refusals = refusalsIn(file);
  const total = file.rows.length + file.faults.length;
  if (file.rows.length === 0 && refusals.length === 0) return "its only row has no line break";
  if (refusals.length <= REFUSED_SHARE_MAX * total) return undefined;
  const whys = refusals.flatMap(({ line, why }) =>
    why === undefined ? [] : `line ${line}: ${why}`,
  );
  return `${refusals.length} of ${total} rows are refused: ${whys.join("; ")}`;
}

function refusalsIn({ rows, faults }: Rows): Refusal[] {
  const explained = new Set<RejectReason>();
  const refusal = (line: number, reason: RejectReason, detail: string): Refusal => {
    const why = explained.has(reason) ? undefined : `${reason}${detail}`;
    explained.add(reason);
    return { line, why };
  };
  const impossible: Refusal[] = [];
  const possible: RawRow[] = [];
  for (const row of rows) {
    const reason = refusalOf(row);
    if (reason === undefined) possible.push(row);
    else impossible.push(refusal(row.line, reason, ` in ${quoted(row.raw ?? "", RAW_LENGTH_MAX)}`));
  }
  const misplaced = settleDays(possible).rejects.map(({ line, reason }) =>
    refusal(line, reason, `: ${WHAT_TO_DO[reason] ?? "its place is wrong"}`),
  );
  const unread = faults.filter(({ reason }) => reason !== "unterminated_row");
  return [...unread.map(({ line, why }) => ({ line, why })), ...impossible, ...misplaced];
}
