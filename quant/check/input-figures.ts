import type { CheckOptions } from "./check-options.ts";
import { instantText } from "./ordered-rows.ts";
import type { Panel } from "./panel.ts";
import { sha256 } from "./sha256.ts";

/** The panel that was judged; a table of statistics has none. */
interface JudgedPanel {
  readonly panel: Panel;
  readonly selected: string;
}

/** What the file was, and what was done to it. `trials` is the larger of those measured and declared. */
export function inputFigures(
  { source, coin }: Pick<CheckOptions, "source" | "coin">,
  trials: { readonly value: number; readonly isDeclared: boolean; readonly variants: number },
  judged?: JudgedPanel,
) {
  const panel = judged?.panel;
  const stated = source.stated ?? source.statedOf?.get(judged?.selected ?? "") ?? null;
  return {
    format: source.format,
    tool: source.tool,
    kind: panel === undefined ? ("statistics" as const) : source.kind,
    sha256: panel === undefined ? null : panelDigest(panel),
    bars: panel?.instants.length ?? 0,
    variants: trials.variants,
    droppedVariants: panel?.droppedVariants ?? 0,
    duplicateVariants: panel?.duplicateVariants ?? 0,
    first: panel === undefined ? null : instantText(panel.instants[0]!),
    last: panel === undefined ? null : instantText(panel.instants.at(-1)!),
    barSeconds: panel?.barSeconds ?? NaN,
    periodsPerYear: panel?.periodsPerYear ?? NaN,
    periodsPerYearReason: panel?.periodsReason ?? null,
    filledBars: panel?.filledBars ?? 0,
    selected: judged?.selected ?? null,
    nTrials: {
      value: trials.value,
      source: trials.isDeclared ? ("declared" as const) : ("measured" as const),
    },
    markedToMarket: source.markedToMarket ?? false,
    stated,
    statedReason: stated === null ? null : (source.statedReason ?? null),
    warnings: [...(source.warnings ?? []), ...(panel?.warnings ?? [])],
    columns: source.columns ?? [],
    benchmark: coin === undefined ? null : { name: coin.name, source: coin.source ?? "coin" },
    options: source.options ?? {},
  };
}

/**
 * SHA-256 of a panel: its instants and then each column, as little-endian float64, and the names, each followed
 * by a line feed. The same panel gives the same digest, whatever file it came in.
 */
function panelDigest({ instants, columns, names }: Panel): string {
  const text = new TextEncoder().encode(names.map((name) => `${name}\n`).join(""));
  const rows = instants.length;
  const bytes = new Uint8Array(8 * rows * (columns.length + 1) + text.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const column of [instants, ...columns]) {
    for (let row = 0; row < rows; row++, at += 8) view.setFloat64(at, column[row]!, true);
  }
  bytes.set(text, at);
  return sha256(bytes);
}
