import { FileRefused } from "../../files/refused.ts";
import { PanelRefused } from "../../quant/check/panel.ts";
import type { Table } from "../../files/csv.ts";
import { MoreNeeded, type ReadExport } from "./export.ts";
import { shortened } from "../../files/numbers.ts";
import type { NamedTable } from "../../files/sheet-table.ts";

interface Outcome {
  readonly from: NamedTable;
  /** The lower the better: a curve or a question about one, trades, statistics, nothing. */
  readonly rank: 0 | 1 | 2 | 3;
  readonly read?: ReadExport;
  readonly error?: Error;
}

/** Longer lists of names are cut. */
const NAMES_MAX = 6;

/**
 * Reads the table that counts among several: the first curve, else a list of trades, else statistics. A question about a
 * table goes before the tables after it. The capital of trades alone isn't a question where there is a curve, which needs
 * none.
 */
export function firstReadable(
  tables: readonly NamedTable[],
  what: string,
  read: (table: Table) => ReadExport,
): ReadExport {
  let best: Outcome | undefined;
  for (const named of tables) {
    const found = outcomeOf(named, read);
    if (best === undefined || isBetter(found, best)) best = found;
    if (best.rank === 0) break;
  }
  if (best === undefined) throw new FileRefused(`there is no ${what} with cells that can be seen`);
  const others = tables.filter((table) => table !== best.from).map(({ name }) => shortened(name));
  const not = others.slice(0, NAMES_MAX).join(", ") + (others.length > NAMES_MAX ? ", ..." : "");
  const which = `the ${what} "${shortened(best.from.name)}"`;
  if (best.read === undefined) {
    if (best.rank < 3 || not === "") throw best.error!; // it comes instead of what is read
    throw new FileRefused(`${which} can't be read, nor can ${not}: ${best.error!.message}`);
  }
  if (not === "") return best.read;
  const warning = { code: "table_chosen", message: `${which} was read, not ${not}` };
  return { ...best.read, warnings: [...best.read.warnings, warning] };
}

function outcomeOf(named: NamedTable, read: (table: Table) => ReadExport): Outcome {
  try {
    const found = read(named.table);
    const rank = found.kind === "trades" ? 1 : found.kind === "statistics" ? 2 : 0;
    return { from: named, rank, read: found };
  } catch (error) {
    if (error instanceof FileRefused) return { from: named, rank: 3, error };
    if (error instanceof PanelRefused) return { from: named, rank: 1, error }; // trades that lose the account
    if (!(error instanceof MoreNeeded)) throw error;
    const isOfTrades = error.questions.every(({ option }) => option === "startingCapital");
    return { from: named, rank: isOfTrades ? 1 : 0, error };
  }
}

/** Of two tables that are refused, the larger one is what the file is about. */
function isBetter(one: Outcome, other: Outcome): boolean {
  if (one.rank < 3 || other.rank < 3) return one.rank < other.rank;
  return one.from.table.rows.length > other.from.table.rows.length;
}
