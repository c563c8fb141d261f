import { expect, test } from "vitest";
import {
  ALLOWANCE,
  CHUNK_RECORDS,
  COUNTERS,
  METERED_ENDPOINTS,
  METERS,
  MINUTE,
  MINUTE_WORDS,
  MINUTES,
  RECORD,
  RECORD_WORDS,
  RING_ENTRIES,
  WORD_BYTES,
} from "../../../../server/accounts/sqlite/meter-layout.ts";

/** The smallest piece of a file that any machine can map. */
const LARGEST_PAGE_BYTES = 65_536;

test("every word of a chunk is one account's, or of the list of changed accounts", () => {
  const owners = new Map<number, number>();
  const take = (word: number, place: number) => {
    expect(owners.get(word), `word ${word} of ${place}`).toBeUndefined();
    owners.set(word, place);
  };
  for (let word = 0; word < CHUNK_RECORDS / 32; word++) take(word, 0);
  for (let place = 1; place < CHUNK_RECORDS; place++) {
    const base = place * RECORD_WORDS;
    for (const word of [RECORD.lock, RECORD.boot, RECORD.changed]) take(base + word, place);
    for (const allowance of [RECORD.live, RECORD.test]) {
      const counters = Array.from({ length: COUNTERS }, (_, n) => ALLOWANCE.counters + n);
      for (const word of [0, 1, 2, 3, 4, 5, ...counters]) take(base + allowance + word, place);
    }
  }
  expect(Math.max(...owners.keys())).toBeLessThan(METERS.chunkBytes / WORD_BYTES);
});

test("there is room for every endpoint and a whole ring, and chunks begin where memory can", () => {
  expect(METERED_ENDPOINTS.length).toBeLessThanOrEqual(COUNTERS);
  expect(MINUTE.entries + 2 * RING_ENTRIES).toBeLessThanOrEqual(MINUTE_WORDS);
  expect(MINUTES.chunkBytes).toBe(CHUNK_RECORDS * MINUTE_WORDS * WORD_BYTES);
  for (const { chunkBytes } of [METERS, MINUTES]) expect(chunkBytes % LARGEST_PAGE_BYTES).toBe(0);
});
