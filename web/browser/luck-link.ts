import type { LuckPoint } from "../charts/luck-chart.tsx";

/** The query of a link that shows these numbers. */
export function queryOf({ sharpe, years, trials }: LuckPoint): string {
  return `?sharpe=${Number(sharpe.toFixed(2))}&years=${years}&tries=${trials}`;
}

/** The numbers of such a link; undefined if there are none, or none that the calculator can show. */
export function pointOf(query: string): LuckPoint | undefined {
  const values = new URLSearchParams(query);
  const number = (name: string) => Number(values.get(name) ?? Number.NaN);
  const [sharpe, years, trials] = [number("sharpe"), number("years"), number("tries")];
  const isShown =
    sharpe >= 0 &&
    sharpe <= 20 &&
    years >= 0.1 &&
    years <= 50 &&
    Number.isInteger(trials) &&
    trials >= 1 &&
    trials <= 1e6;
  return isShown ? { sharpe, years, trials } : undefined;
}
