import type { History, PublishedTables } from "../snapshots/history.ts";
import { readHistory, readTables } from "../snapshots/history.ts";
import { findPublished, isSameSource } from "../snapshots/published.ts";
import { unlessDamaged } from "../snapshots/snapshot-error.ts";
import type { Table } from "../snapshots/tables/table.ts";
import type { PriceSource } from "./sources/source.ts";

/** What was published from a source before this run. */
export interface PreviousSnapshot {
  /** The last day of the current snapshot. Undefined when nothing from the source is published. */
  readonly asOf: number | undefined;
  /** Prices that the run continues. Undefined when there are none; everything is then fetched again. */
  readonly history: History | undefined;
  /** Tables of each snapshot that is not damaged: of the current one first, then from the newest run on. */
  tables(wanted: readonly Table[]): AsyncIterable<PublishedTables>;
}

/**
 * Opens the snapshots of the same source, so that real and made-up prices, or two exchanges, are never mixed. The run
 * continues the current snapshot or, if that is damaged, the newest whole one. Damage is reported, with the snapshot
 * that is continued.
 */
export async function openPreviousSnapshot(
  root: string,
  source: Pick<PriceSource, "name" | "synthetic">,
  notice: (text: string) => void,
): Promise<PreviousSnapshot> {
  const reported = new Set<string>();
  const reportOnce = (text: string) => {
    if (!reported.has(text)) notice(text);
    reported.add(text);
  };
  const { name, synthetic } = source;
  const snapshots = (await findPublished(root, reportOnce)).filter(({ manifest }) =>
    isSameSource(manifest, { source: name, synthetic }),
  );
  let history: History | undefined;
  for (const { dir } of snapshots) {
    history ??= await unlessDamaged(readHistory(dir), reportOnce);
  }
  if (reported.size > 0) {
    const id = history?.manifest.id;
    const nothing = "no snapshot can be continued, so all history is fetched";
    notice(id === undefined ? nothing : `snapshot "${id}" is continued`);
  }
  return {
    asOf: snapshots[0]?.manifest.asOf,
    history,
    async *tables(wanted) {
      for (const { dir } of snapshots) {
        const tables = await unlessDamaged(readTables(dir, wanted), reportOnce);
        if (tables !== undefined) yield tables;
      }
    },
  };
}
