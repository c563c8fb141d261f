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
function pointOfNumbers(sharpe: number, years: number, trials: number): LuckPoint | undefined {
  const isShown = isTyped("sharpe", sharpe) && isTyped("years", years) && isTyped("trials", trials);
  return isShown ? { sharpe, years, trials } : undefined;
}

/** The numbers of a link from before answers had paths; undefined if it has none that the calculator can show. */
export function pointOfQuery(query: string): LuckPoint | undefined {
  const values = new URLSearchParams(query);
  const number = (name: string) => Number(values.get(name) ?? NaN);
  return pointOfNumbers(number("sharpe"), number("years"), number("tries"));
}

/** The numbers as a part of a path: "1.8_2_100". */
function textOf({ sharpe, years, trials }: LuckPoint): string {
  return `${Number(sharpe.toFixed(2))}_${Number(years.toFixed(2))}_${trials}`;
}

/** The numbers of such a part; undefined for any other text, also for another way to write them. */
function pointOfText(text = ""): LuckPoint | undefined {
  const [, ...texts] = /^(-?[\d.]{1,7})_([\d.]{1,6})_(\d{1,10})$/.exec(text) ?? [];
  const point = pointOfNumbers(Number(texts[0]), Number(texts[1]), Number(texts[2]));
  return point !== undefined && textOf(point) === text ? point : undefined;
}

/** The page of an answer, which previews show with its own picture: "/luck/1.8_2_100". */
export const luckPath = (point: LuckPoint) => `/luck/${textOf(point)}`;

/** The numbers in the path of such a page. */
export function pointOfPath(path: string): LuckPoint | undefined {
  return pointOfText(/^\/luck\/(.+)$/.exec(path)?.[1]);
}

/** What came of a study: the best setting's Sharpe ratio, years and tries, of a rule on a coin. */
export interface StudyPoint extends LuckPoint {
  readonly template: string;
  readonly coin: string;
}

/** The page of a study as it is sent: "/strategies/ma_cross/btc_1.8_2_100". Its query has the form's values. */
export function studyPath({ template, coin, ...point }: StudyPoint): string {
  return `/strategies/${template}/${coin}_${textOf(point)}`;
}

/** What came of the study in the path of such a page. */
export function studyOfPath(path: string): StudyPoint | undefined {
  const [, template = "", coin = "", text] =
    /^\/strategies\/(\w+)\/([^/_]+)_(.+)$/.exec(path) ?? [];
  const point = pointOfText(text);
  return point && { template, coin, ...point };
}
