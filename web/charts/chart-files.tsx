import type { PageSource } from "../layout.tsx";
import { placeOfChart } from "../paths.ts";

/** Where a chart of a page is a file of its own, without the ending. */
export interface ChartAddress {
  readonly file: string;
  readonly about: Pick<PageSource, "snapshot" | "origin">;
}

/** The chart as files, and the way to its place on its page, which is copied where scripts run. */
export function ChartFiles({
  file,
  isFirst,
}: {
  readonly file: string;
  readonly isFirst: boolean;
}) {
  return (
    <>
      {!isFirst && " · "}
      <a href={`${file}.csv`}>CSV</a> · <a href={`${file}.svg`}>SVG</a> ·{" "}
      <a href={placeOfChart(file)} data-copy aria-live="polite">
        copy link
      </a>
    </>
  );
}

/** How a chart is named elsewhere. */
export function citation(title: string, { file, about }: ChartAddress): string {
  const { snapshot = "", origin = "" } = about;
  return `Hindsight: “${title}”, snapshot ${snapshot}, CC BY 4.0, ${origin}${placeOfChart(file)} (the address shows the newest snapshot).`;
}
