import { CompressedBody } from "../../server/http/compressed-body.ts";
import {
  keylessResources,
  openPaths,
  servedLibrary,
} from "../../server/openapi/keyless-resources.ts";
import { resourceTexts } from "../../server/openapi/resource-texts.ts";
import { fileOf } from "../../server/pages/png.ts";
import { SnapshotPages, subjectsOf } from "../../server/pages/snapshot-pages.ts";
import { snapshotTexts } from "../../server/pages/site-data.ts";
import type { OpenResource } from "../../server/requests/site.ts";
import type { OperatorLinks } from "../../web/layout.tsx";
import type { SnapshotData } from "../../server/routes/snapshot-data.ts";

/**
 * The pages of a snapshot, rendered in this process. The thread of the server would need the folder of the snapshot
 * and the build.
 */
export function pagesInProcess(
  snapshot: SnapshotData,
  withholdsPrices: boolean,
  operator: OperatorLinks = {},
): SnapshotPages {
  const publicUrl = "http://api.test";
  const textOf = snapshotTexts(snapshot, { publicUrl, withholdsPrices, operator });
  const body = async (path: string) => await CompressedBody.from(fileOf(path, textOf));
  return new SnapshotPages(subjectsOf(snapshot, withholdsPrices), { body });
}

/** The documentation, rendered in this process. */
export function docsInProcess(): ReadonlyMap<string, OpenResource> {
  const library = servedLibrary();
  const textOf = resourceTexts(library, "http://api.test");
  const body = async (path: string) => await CompressedBody.from(textOf(path));
  return keylessResources(openPaths(library), { body });
}
