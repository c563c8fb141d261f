/** What a large sentence says, and what permits it. */
interface Evidence {
  /** What is claimed, as a number. */
  readonly figure: number | null | undefined;
  /**
   * What luck does: p-values as published, under half and under twice as many draws, with the bar that all of them have to
   * be below; or the range of figures that are no more than luck.
   */
  readonly null:
    | { readonly p: readonly (number | null | undefined)[]; readonly bar: number }
    | { readonly range: readonly [low: number, high: number] | undefined };
  /** The figure without each coin and each year, as far as it is taken over them. */
  readonly holds: readonly (number | null | undefined)[];
  readonly sentence: string;
  /** What stands there, in the same size, where the evidence does not bear the sentence. */
  readonly otherwise: string;
}

/**
 * The sentence, if its p-values are below their bar, or its figure outside the range of luck, and if no coin and no year
 * carries it alone; else what is said instead.
 */
export function claim({ figure, null: luck, holds, sentence, otherwise }: Evidence): string {
  const all = [figure, ...holds];
  if (holds.length === 0 || !all.every(isKnown)) return otherwise;
  if ("p" in luck) {
    const isRare = luck.p.every((p) => isKnown(p) && p <= luck.bar);
    const isOneSided = all.every((each) => Math.sign(each) === Math.sign(figure!)); // known, as all are
    return isRare && isOneSided && figure !== 0 ? sentence : otherwise;
  }
  const [low, high] = luck.range ?? [-Infinity, Infinity];
  const isOutside = all.every((each) => each > high) || all.every((each) => each < low);
  return isOutside ? sentence : otherwise;
}

/** A title that claims nothing: it names what is shown, or counts it beside what luck makes of it. */
export const plain = (words: string): string => words;

const isKnown = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value);
