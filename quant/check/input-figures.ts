import type { CheckOptions } from "./check-options.ts";
import { instantText } from "./ordered-rows.ts";
import { panelDigest } from "./panel-digest.ts";
import type { Panel } from "./panel.ts";
import type { CheckInput } from "./report.ts";

/** What was read, and what was done to it. */
export function inputFigures(
  panel: Panel,
  { source, nTrials, coin }: CheckOptions,
  selected: { readonly name: string; readonly trials: number },
): CheckInput {
  const stated = source.stated ?? source.statedOf?.get(selected.name) ?? null;
  return {
    format: source.format,
    tool: source.tool,
    kind: source.kind,
    sha256: panelDigest(panel),
    bars: panel.instants.length,
    variants: panel.columns.length,
    droppedVariants: panel.droppedVariants,
    duplicateVariants: panel.duplicateVariants,
    first: instantText(panel.instants[0]!),
    last: instantText(panel.instants.at(-1)!),
    barSeconds: panel.barSeconds,
    periodsPerYear: panel.periodsPerYear,
    periodsPerYearReason: panel.periodsReason,
    filledBars: panel.filledBars,
    selected: selected.name,
    nTrials: {
      value: selected.trials,
      source: nTrials !== undefined && nTrials >= selected.trials ? "declared" : "measured",
    },
    markedToMarket: source.markedToMarket ?? false,
    stated,
    statedReason: stated === null ? null : (source.statedReason ?? null),
    warnings: [...(source.warnings ?? []), ...panel.warnings],
    columns: source.columns ?? [],
    benchmark: coin === undefined ? null : { name: coin.name, source: coin.source ?? "coin" },
    options: source.options ?? {},
  };
}
