import { attribution } from "./attribution.ts";
import { address, date, flag, instant, int, list, text } from "./members.ts";
import { facts } from "./record.ts";

const Published = facts()({
  id: text("name of the snapshot, which its addresses have"),
  as_of: date("last complete UTC day"),
  created_at: instant("when it was computed"),
  synthetic: flag("true when the prices are made up, by the demo market"),
  bytes: int("of all its files"),
});

export const FileOfSnapshot = facts()({
  name: text('name of the file, such as "indicators.parquet"'),
  table: text.orNull("the table in it; null for the database, which has all of them"),
  bytes: int(),
  rows: int.orNull("of the table"),
  sha256: text("SHA-256 of the file, in hex"),
  url: address("a signed link to it, which needs no key"),
});

/** `GET /snapshots` */
export const Snapshots = facts()({
  attribution,
  current: text("the snapshot that answers come from now"),
  snapshots: list(Published)("those that are kept, the newest first"),
  files: list(FileOfSnapshot)("of the requested snapshot, by default the current one"),
});
