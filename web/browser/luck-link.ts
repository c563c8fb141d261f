import { pointOfNumbers, type LuckPoint } from "../luck-point.ts";

/** The query of a link that shows these numbers. */
export function queryOf({ sharpe, years, trials }: LuckPoint): string {
  return `?sharpe=${Number(sharpe.toFixed(2))}&years=${Number(years.toFixed(2))}&tries=${trials}`;
}

/** The numbers of such a link; undefined if there are none, or none that the calculator can show. */
export function pointOf(query: string): LuckPoint | undefined {
  const values = new URLSearchParams(query);
  const number = (name: string) => Number(values.get(name) ?? Number.NaN);
  return pointOfNumbers(number("sharpe"), number("years"), number("tries"));
}
