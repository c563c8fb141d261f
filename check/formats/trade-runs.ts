import { nameWords } from "../columns/names.ts";
import { readName } from "../columns/name-role.ts";
import { cellsOf, type Table } from "../../files/csv.ts";
import type { Deal } from "./deal.ts";
import { question, type MoreNeeded } from "./export.ts";
import { shortened } from "../../files/numbers.ts";

/** Words of columns that tell runs apart, beside those that name a strategy. */
const RUN =
  /^(run|config|configuration|variant|version|scenario|params?|parameters?|setup|experiment|参数|参数组|方案|варианты?)$/;
/** What may stand beside such a word. */
const FILLER = /^(name|id|no|nr|number|set|type|label|名称)$/;

/** A strategy that is long or short, active or not, is none of several. */
const FLAG = /^(true|false|yes|no|long|short|buy|sell|[01])$/i;

/** Columns of a list of trades that may tell several runs apart: few names, each of many trades. */
export function runColumns(table: Table): readonly string[] {
  return table.header.filter((name, index) => {
    const cells = cellsOf(table, index).map((cell) => cell.trim());
    const count = new Set(cells).size;
    if (
      cells.includes("") ||
      count < 2 ||
      3 * count > cells.length ||
      cells.every((cell) => FLAG.test(cell))
    )
      return false;
    const words = nameWords(name);
    const isShare =
      /^positionsize|^sizing/.test(words.join("")) &&
      cells.every((cell) => /^[\d.,]+ ?%$/.test(cell));
    const isRun = (word: string) => RUN.test(word) || readName(word).isOfStrategy;
    return (
      isShare || (words.some(isRun) && words.every((word) => isRun(word) || FILLER.test(word)))
    );
  });
}

/** Where this share of the trades was entered by another variant at the same time, too, the variants aren't one account. */
const SAME_SHARE = 0.5;

/** Whether variants made the same trades, as runs with other settings do. */
export function areCopies(deals: readonly Deal[]): boolean {
  const entered = new Map<string, Set<string>>();
  const keyOf = ({ symbol, entry }: Deal) => `${symbol ?? ""} ${entry}`;
  for (const deal of deals) {
    const variants = entered.get(keyOf(deal)) ?? new Set();
    entered.set(keyOf(deal), variants.add(deal.variant));
  }
  const same = deals.filter((deal) => entered.get(keyOf(deal))!.size > 1);
  return same.length >= SAME_SHARE * deals.length;
}

export function runsQuestion(columns: readonly string[], deals: readonly Deal[]): MoreNeeded {
  const names = columns.map((name) => `"${shortened(name)}"`).join(" and ");
  const count = new Set(deals.map(({ variant }) => variant)).size;
  return question(
    "leaveOut",
    `${names} tells ${count} groups of trades apart: is each a run of its own, with all of the capital, or are they parts of ` +
      "one account?",
    [
      ...columns.map((value) => ({
        value,
        label: `One account, whatever "${shortened(value)}"`,
        text: "its trades are added up",
      })),
      {
        value: "none",
        label: "Runs of their own",
        text: "each is a variant with all of the capital",
      },
    ],
  );
}
