import type { LuckPoint } from "../charts/luck-chart.tsx";
import { isTyped } from "./luck-calculator.tsx";

/** The query of a link that shows these numbers. */
export function queryOf({ sharpe, years, trials }: LuckPoint): string {
  return `?sharpe=${Number(sharpe.toFixed(2))}&years=${Number(years.toFixed(2))}&tries=${trials}`;
}

/** The numbers of such a link; undefined if there are none, or none that the calculator can show. */
export function pointOf(query: string): LuckPoint | undefined {
  const values = new URLSearchParams(query);
  const number = (name: string) => Number(values.get(name) ?? Number.NaN);
  const [sharpe, years, trials] = [number("sharpe"), number("years"), number("tries")];
  const isShown = isTyped("sharpe", sharpe) && isTyped("years", years) && isTyped("trials", trials);
  return isShown ? { sharpe, years, trials } : undefined;
}
