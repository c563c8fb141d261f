import { settleDays } from "../price-rules/days.ts";
import { WHAT_TO_DO, refusalOf } from "../price-rules/screen.ts";
import { quoted } from "./csv-advice.ts";
import { RAW_LENGTH_MAX } from "../price-rules/raw-row.ts";
import type { RawRow, RejectReason, RowFault } from "../price-rules/raw-row.ts";

/** If more than this share of a file's rows is refused, its coin is left out: the rest is hardly its history. */
const REFUSED_SHARE_MAX = 0.1;

interface Refusal {
  readonly line: number;
  /** Only for the first refusal of each kind. */
  readonly why: string | undefined;
}

type Rows = { readonly rows: readonly RawRow[]; readonly faults: readonly RowFault[] };

/**
 * Why so many of a file's rows are refused that its coin is left out, with everything that is wrong, so that it can
 * be mended at once. Undefined if fewer are refused. The day of the run makes no difference. An unfinished last line
 * and days before a gap do not count.
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
