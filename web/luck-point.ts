/** What a reader of the luck calculator has: a Sharpe ratio, years of daily data, and tries. */
export interface LuckPoint {
  readonly sharpe: number;
  readonly years: number;
  readonly trials: number;
}

/** What may be typed. Years of daily data are a fortnight at least, tries a whole number. */
export const TYPED = {
  sharpe: { min: -100, max: 100, said: "A Sharpe ratio is a number from −100 to 100." },
  years: { min: 0.05, max: 100, said: "Years are from 0.05 to 100." },
  trials: { min: 1, max: 1e9, said: "Tries are a whole number from 1 to 1,000,000,000." },
} as const;

/** Whether a number can be typed into a field. */
export function isTyped(name: keyof LuckPoint, value: number): boolean {
  const { min, max } = TYPED[name];
  return value >= min && value <= max && (name !== "trials" || Number.isInteger(value));
}

/** The numbers, if all of them can be typed. */
export function pointOfNumbers(
  sharpe: number,
  years: number,
  trials: number,
): LuckPoint | undefined {
  const isShown = isTyped("sharpe", sharpe) && isTyped("years", years) && isTyped("trials", trials);
  return isShown ? { sharpe, years, trials } : undefined;
}

/** The page of an answer, which previews show with its own picture: "/luck/1.8_2_100". */
export function luckPath({ sharpe, years, trials }: LuckPoint): string {
  return `/luck/${Number(sharpe.toFixed(2))}_${Number(years.toFixed(2))}_${trials}`;
}

/** The numbers in the path of such a page; undefined for any other path, also for another way to write one. */
export function pointOfPath(path: string): LuckPoint | undefined {
  const [, ...texts] = /^\/luck\/(-?[\d.]{1,7})_([\d.]{1,6})_(\d{1,10})$/.exec(path) ?? [];
  const point = pointOfNumbers(Number(texts[0]), Number(texts[1]), Number(texts[2]));
  return point !== undefined && luckPath(point) === path ? point : undefined;
}
