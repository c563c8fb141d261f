import { attribution, type Attributed } from "./attribution.ts";
import { address, date, flag, instant, int, list, text } from "./members.ts";
import { record } from "./record.ts";

interface PublishedFacts {
  readonly id: string;
  readonly asOf: number;
  readonly createdMs: number;
  readonly synthetic: boolean;
  readonly bytes: number;
}

const Published = record<PublishedFacts>()({
  id: text("name of the snapshot, which its addresses have"),
  as_of: date("last complete UTC day"),
  created_at: instant("when it was computed", (snapshot) => snapshot.createdMs),
  synthetic: flag("true when the prices are made up, by the demo market"),
  bytes: int("of all its files"),
});

interface FileFacts {
  readonly name: string;
  readonly table: string | null;
  readonly bytes: number;
  readonly rows: number | null;
  readonly sha256: string;
  readonly url: string;
}

export const FileOfSnapshot = record<FileFacts>()({
  name: text('name of the file, such as "indicators.parquet"'),
  table: text.orNull("the table in it; null for the database, which has all of them"),
  bytes: int(),
  rows: int.orNull("of the table"),
  sha256: text("SHA-256 of the file, in hex"),
  url: address("a signed link to it, which needs no key"),
});

interface SnapshotsFound extends Attributed {
  readonly current: string;
  readonly snapshots: readonly PublishedFacts[];
  readonly files: readonly FileFacts[];
}

/** `GET /snapshots` */
export const Snapshots = record<SnapshotsFound>()({
  attribution,
  current: text("the snapshot that answers come from now"),
  snapshots: list(Published)("those that are kept, the newest first"),
  files: list(FileOfSnapshot)("of the requested snapshot, by default the current one"),
});
