import { z } from "zod";
import { FileOfSnapshot, Snapshots } from "../../api/snapshots.ts";
import { tableOf } from "../../api/table.ts";
import type { SnapshotsEndpoint } from "./endpoint.ts";
import { integer, text } from "./parameters.ts";

const HOURS_DEFAULT = 24;
const HOURS_MAX = 168;

export const SNAPSHOTS_QUERY = z.strictObject({
  snapshot: text({
    allowed: "the id of a snapshot",
    description: "id of the snapshot whose files are listed; the current one if left out",
    example: "2025-06-30T20250701T001000000Z-0e5a1b2c3d4f",
  }).optional(),
  hours: integer(1, HOURS_MAX, {
    description: "how long the links open their files",
    example: HOURS_DEFAULT,
  }).default(HOURS_DEFAULT),
});

/** GET /snapshots?snapshot=&hours= */
export const snapshots: SnapshotsEndpoint<typeof SNAPSHOTS_QUERY, typeof Snapshots> = {
  kind: "snapshots",
  path: "/snapshots",
  operationId: "getSnapshots",
  tag: "Market",
  summary: "The published tables as files, with links",
  description:
    "The snapshots that are kept, and of one of them every file with a signed link, which programs such as DuckDB and polars read without a key. A link opens one file in the name of the key of this request. Free: it costs no call, but counts for the rate limit; reading a file costs one call a UTC day.",
  query: SNAPSHOTS_QUERY,
  data: Snapshots,
  rows: ({ files }) => tableOf("files", FileOfSnapshot, files),
};
