import { bytesOf, ByteWriter } from "../http/byte-writer.ts";
import { writeJson, writeOpenObject } from "../http/json-writer.ts";
import type { LongAnswer, ReadEndpoint, Resolved } from "../routes/endpoint.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { BEFORE_DATA, BEFORE_META } from "./written-body.ts";

/**
 * Items of a long list that are made and written in one step. Eight readings take a millisecond, and a
 * request that comes in meanwhile waits for them.
 */
const ITEMS_A_PIECE = 8;
/** Holds one piece at a time until it is copied. Grows to the largest. */
const scratch = new ByteWriter(32 * 1024);
const [COMMA, LIST_END] = [bytesOf(","), bytesOf("]}")];

/**
 * Makes and writes the body of an answer up to its `meta`, one piece per step; without a `long` form there is one. The
 * first piece of a long list has no items. Copy each piece before anything else happens: the memory is reused.
 */
export function* bodyPieces(
  endpoint: ReadEndpoint,
  snapshot: SnapshotData,
  resolved: Resolved,
  long: LongAnswer | undefined,
): Generator<Uint8Array, Uint8Array> {
  scratch.clear();
  scratch.constant(BEFORE_DATA);
  if (long === undefined) writeJson(scratch, endpoint.answer(snapshot, resolved as never));
  else yield* listPieces(long);
  scratch.constant(BEFORE_META);
  return scratch.written;
}

/** Leaves the last piece to its caller, to be continued. */
function* listPieces({ data, list, items }: LongAnswer): Generator<Uint8Array, void> {
  writeOpenObject(scratch, data);
  scratch.text(`,"${list}":[`);
  yield scratch.written;
  scratch.clear();
  let count = 0;
  for (const item of items) {
    if (count > 0) scratch.bytes(COMMA);
    if (count > 0 && count % ITEMS_A_PIECE === 0) {
      yield scratch.written;
      scratch.clear();
    }
    writeJson(scratch, item);
    count++;
  }
  scratch.bytes(LIST_END);
}
