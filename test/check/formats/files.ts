import { readExport } from "../../../check/formats/read-export.ts";
import type { ReadExport, ReadOptions } from "../../../check/formats/export.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { dateOfDay } from "../../../quant/calendar.ts";
import type { Bars } from "../../../quant/bars.ts";
import { FIRST_DAY } from "../../quant/check/panels.ts";

export const utf8 = (text: string) => new TextEncoder().encode(text);

export function readText(text: string, options: ReadOptions = {}): Promise<ReadExport> {
  return readExport(utf8(text), options);
}

/** The columns of a file as the panel has them. */
export async function panelOf(text: string, options: ReadOptions = {}) {
  return buildPanel((await readText(text, options)).rows!);
}

/** A CSV of dates and numbers, 20 days by default. */
export function csvOf(header: string, cell: (row: number) => string, days = 20): string {
  const lines = Array.from(
    { length: days },
    (_, row) => `${dateOfDay(FIRST_DAY + row)},${cell(row)}`,
  );
  return [header, ...lines, ""].join("\n");
}

/** Days of January 2024, 20 by default. */
export const january = (days = 20) =>
  Array.from({ length: days }, (_, row) => `2024-01-${String(row + 1).padStart(2, "0")}`);

/** A market of coins that all have the same bars. */
export function marketOf(coins: readonly string[], bars: Bars, isSynthetic = false) {
  const market = { coins: new Set(coins), barsOf: () => bars, known: () => [], isSynthetic };
  return { marketFor: async () => market };
}

/** The codes of warnings. */
export const codesOf = (warnings: readonly { readonly code: string }[]) =>
  warnings.map(({ code }) => code);

/** Small returns that never repeat. */
export const smallReturn = (row: number) => Math.sin(3 * row + 1) / 50;
