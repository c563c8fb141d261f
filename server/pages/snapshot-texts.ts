import type { OperatorLinks } from "../../web/layout.tsx";
import { pageTypeOf } from "../../web/paths.ts";
import { renderPath } from "../../web/site.tsx";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { siteDataOf } from "./site-data.ts";
import { subjectsOf } from "./subjects.ts";

export interface SnapshotTexts {
  /** Where clients reach the server. */
  readonly publicUrl: string;
  readonly withholdsPrices: boolean;
  readonly operator?: OperatorLinks | undefined;
}

/** A function that makes the text of each page of a snapshot, by path. */
export function snapshotTexts(
  snapshot: SnapshotData,
  { publicUrl, withholdsPrices, operator }: SnapshotTexts,
): (path: string) => string {
  const subjects = subjectsOf(snapshot, withholdsPrices);
  const data = siteDataOf({ ...snapshot, publicUrl }, subjects.priced, operator);
  return (path) => renderPath(path, pageTypeOf(path, subjects)!, data); // it is one of them
}
