import {
  f64,
  f64x2,
  get,
  i32,
  i64x2,
  increase,
  repeatWhile,
  set,
  v128,
  when,
} from "../wasm/instructions.ts";
import { PAIR_BYTES, type Code, type WasmFunction } from "../wasm/module.ts";
import { FLAT_TOLERANCE } from "./cscv.ts";

/**
 * The three inner loops of `pboOfRanges`, two columns at a time. They do about 95 % of the arithmetic of
 * the index and of the dataset. Each does to a column what the plain code in `cscv.ts` does, in the same
 * order, so the results agree to the bit. Every number here is an address or a distance in bytes.
 *
 * Layout. Columns come in pairs. A row of sums holds a pair's two sums, then its two sums of squares. A
 * half holds the measure of every column; after them, for each piece, its largest measure and the place of
 * that measure in the half.
 */
export const SUMS_PAIR_BYTES = 2 * PAIR_BYTES;
/** A piece is stored as the distance of its end from the half's first measure. */
export const PIECE_BYTES = 4;
/** A best is a measure (f64) and that measure's distance from the half's first one (i32). */
export const BEST_BYTES = 16;

/** Where the i32 members of a set lie, as distances from its start. */
export const SET = {
  /**
   * Bests of the set's pieces, from the first up to but not including the last, counted from the half's
   * first best.
   */
  firstBest: 0,
  lastBest: 4,
  /** The set's measures, likewise, counted from the half's first measure. */
  from: 8,
  to: 12,
  /** Columns without returns that complete a pair. They have no Sharpe and rank last. */
  padding: 16,
  /** Counters: splits with a pick, and twice the overfit ones, so that a tie adds 1. */
  splits: 20,
  overfit: 24,
} as const;
export const SET_BYTES = 28;

const NO_SHARPE = v128.const(Float64Array.of(-Infinity, -Infinity));
const BELOW_FLAT = v128.const(Float64Array.of(1 - FLAT_TOLERANCE, 1 - FLAT_TOLERANCE));
const FIRST_PLACES = v128.const(BigInt64Array.of(0n, 8n));
const NEXT_PLACES = v128.const(BigInt64Array.of(16n, 16n));

/**
 * addRows(from, with, into, end of `into`): adds the sums of two sets of blocks to get those of their
 * union.
 */
function addRows(): WasmFunction {
  const [from, and, into, end] = [0, 1, 2, 3] as const;
  return {
    parameters: ["i32", "i32", "i32", "i32"],
    locals: [],
    body: repeatWhile(
      i32.ltUnsigned(get(into), get(end)),
      v128.store(get(into), f64x2.add(v128.load(get(from)), v128.load(get(and)))),
      increase(from, i32.const(PAIR_BYTES)),
      increase(and, i32.const(PAIR_BYTES)),
      increase(into, i32.const(PAIR_BYTES)),
    ),
  };
}

/**
 * measure(lower row, upper row, half, its bests, pieces, end of pieces, share): the measure of every column
 * as in `cscv.ts`, which is `sum |sum| / squares * share` or minus infinity, and the first largest measure
 * of each piece.
 */
function measure(): WasmFunction {
  const [lower, upper, half, bests, piece, pieces, share] = [0, 1, 2, 3, 4, 5, 6] as const;
  const [shares, sum, cosine, wins, best, bestPlace, place, end, first] = [
    7, 8, 9, 10, 11, 12, 13, 14, 15,
  ] as const;
  const measureOfPair = f64x2.mul(
    f64x2.div(
      f64x2.mul(get(sum), f64x2.abs(get(sum))),
      f64x2.add(v128.load(get(lower), PAIR_BYTES), v128.load(get(upper), PAIR_BYTES)),
    ),
    get(shares),
  );
  const pair = [
    set(sum, f64x2.add(v128.load(get(lower)), v128.load(get(upper)))),
    set(cosine, measureOfPair),
    // Not below the limit: a flat column, or 0 / 0.
    set(
      cosine,
      v128.bitselect(get(cosine), NO_SHARPE, f64x2.lt(f64x2.abs(get(cosine)), BELOW_FLAT)),
    ),
    v128.store(get(half), get(cosine)),
    set(wins, f64x2.gt(get(cosine), get(best))),
    set(best, f64x2.pmax(get(best), get(cosine))),
    set(bestPlace, v128.bitselect(get(place), get(bestPlace), get(wins))),
    set(place, i64x2.add(get(place), NEXT_PLACES)),
    increase(half, i32.const(PAIR_BYTES)),
    increase(lower, i32.const(SUMS_PAIR_BYTES)),
    increase(upper, i32.const(SUMS_PAIR_BYTES)),
  ];
  return {
    parameters: ["i32", "i32", "i32", "i32", "i32", "i32", "f64"],
    locals: ["v128", "v128", "v128", "v128", "v128", "v128", "v128", "i32", "i32"],
    body: [
      ...set(shares, f64x2.splat(get(share))),
      ...set(place, FIRST_PLACES),
      ...set(first, get(half)),
      ...repeatWhile(
        i32.ltUnsigned(get(piece), get(pieces)),
        set(end, i32.add(get(first), i32.load(get(piece)))),
        set(best, NO_SHARPE),
        set(bestPlace, get(place)),
        repeatWhile(i32.ltUnsigned(get(half), get(end)), ...pair),
        keepFirstLargest({ best, bestPlace, bests }),
        increase(bests, i32.const(BEST_BYTES)),
        increase(piece, i32.const(PIECE_BYTES)),
      ),
    ],
  };
}

/** Writes the larger lane of `best` and its place to `bests`; on a tie, the earlier column. */
function keepFirstLargest(local: { best: number; bestPlace: number; bests: number }): Code {
  const { best, bestPlace, bests } = local;
  const placeOf = (lane: 0 | 1) => i32.wrapI64(i64x2.extractLane(lane, get(bestPlace)));
  const bestOf = (lane: 0 | 1) => f64x2.extractLane(lane, get(best));
  const isSecond = i32.or(
    f64.gt(bestOf(1), bestOf(0)),
    i32.and(f64.eq(bestOf(1), bestOf(0)), i32.ltUnsigned(placeOf(1), placeOf(0))),
  );
  const keep = (lane: 0 | 1) => [
    f64.store(get(bests), bestOf(lane)),
    i32.store(get(bests), placeOf(lane), 8),
  ];
  return when(isSecond, keep(1), keep(0));
}

/**
 * addSplit(in-sample bests, out-of-sample half, sets, end of sets): picks each set's best, the first on a
 * tie, and counts on which side of the middle the pick ranks in the other half. Its mean rank there is
 * (N + 1 + columns behind - columns ahead) / 2.
 */
function addSplit(): WasmFunction {
  const [bests, half, sets, lastSet] = [0, 1, 2, 3] as const;
  const [best, lastBest, most, pick, picked, lead, place, end] = [
    4, 5, 6, 7, 8, 9, 10, 11,
  ] as const;
  const member = (name: keyof typeof SET) => i32.load(get(sets), SET[name]);
  const addTo = (name: keyof typeof SET, count: Code) =>
    i32.store(get(sets), i32.add(member(name), count), SET[name]);
  const countLead = [
    set(place, i32.add(get(half), member("from"))),
    set(end, i32.add(get(half), member("to"))),
    set(lead, v128.const(BigInt64Array.of(0n, 0n))),
    repeatWhile(
      i32.ltUnsigned(get(place), get(end)),
      // A comparison that holds gives -1.
      set(lead, i64x2.sub(get(lead), f64x2.lt(v128.load(get(place)), get(picked)))),
      set(lead, i64x2.add(get(lead), f64x2.gt(v128.load(get(place)), get(picked)))),
      increase(place, i32.const(PAIR_BYTES)),
    ),
  ];
  const leadOf = (lane: 0 | 1) => i32.wrapI64(i64x2.extractLane(lane, get(lead)));
  const leadOfBoth = i32.sub(i32.add(leadOf(0), leadOf(1)), member("padding"));
  const standing = [
    ...countLead,
    set(place, leadOfBoth),
    addTo("overfit", i32.shl(i32.ltSigned(get(place), i32.const(0)), i32.const(1))),
    addTo("overfit", i32.eqz(get(place))),
  ];
  const split = [
    addTo("splits", i32.const(1)),
    set(picked, f64x2.splat(f64.load(i32.add(get(half), get(pick))))),
    when(
      f64.gt(f64x2.extractLane(0, get(picked)), f64.const(-Infinity)),
      standing,
      [addTo("overfit", i32.const(2))], // flat in the other half
    ),
  ];
  return {
    parameters: ["i32", "i32", "i32", "i32"],
    locals: ["i32", "i32", "f64", "i32", "v128", "v128", "i32", "i32"],
    body: repeatWhile(
      i32.ltUnsigned(get(sets), get(lastSet)),
      set(best, i32.add(get(bests), member("firstBest"))),
      set(lastBest, i32.add(get(bests), member("lastBest"))),
      set(most, f64.const(-Infinity)),
      repeatWhile(
        i32.ltUnsigned(get(best), get(lastBest)),
        when(f64.gt(f64.load(get(best)), get(most)), [
          set(most, f64.load(get(best))),
          set(pick, i32.load(get(best), 8)),
        ]),
        increase(best, i32.const(BEST_BYTES)),
      ),
      when(f64.gt(get(most), f64.const(-Infinity)), split),
      increase(sets, i32.const(SET_BYTES)),
    ),
  };
}

export const CSCV_KERNEL = {
  addRows: addRows(),
  measure: measure(),
  addSplit: addSplit(),
} as const;
