import type { VNode } from "preact";
import { useState } from "preact/hooks";
import {
  assessBacktest,
  type BacktestAssessment,
} from "../../quant/overfitting/assess-backtest.ts";
import { Figure } from "../charts/chart.tsx";
import { luckAt, luckChart, type LuckPoint } from "../charts/luck-chart.tsx";
import { decimal } from "../format.ts";

export const FIRST_POINT: LuckPoint = { sharpe: 1.8, years: 2, trials: 100 };

const DAYS_A_YEAR = 365;
const SHARPE = { min: 0, max: 4, step: 0.05 };
const YEARS = { min: 0.5, max: 10, step: 0.5 };
/** The slider of tries is logarithmic: 0 is 1 try, 4 is 10,000. */
const TRIES = { min: 0, max: 4, step: 0.01 };
const OPENING = {
  luck: "Luck does this often.",
  inconclusive: "Too close to call.",
  skill: "Luck would rarely do this.",
};

/** A reader's Sharpe ratio, years and tries, beside what luck shows. */
export function LuckCalculator({
  first = FIRST_POINT,
  onChange,
}: {
  readonly first?: LuckPoint | undefined;
  readonly onChange?: ((point: LuckPoint) => void) | undefined;
}): VNode {
  const [point, setPoint] = useState(first);
  const change = (part: Partial<LuckPoint>) => {
    const next = { ...point, ...part };
    setPoint(next);
    onChange?.(next);
  };
  const { sharpe, years, trials } = point;
  return (
    <div class="two">
      <div class="card">
        {slider("Sharpe ratio", decimal(sharpe, 2), {
          ...SHARPE,
          value: sharpe,
          onInput: (moved) => change({ sharpe: moved }),
        })}
        {slider("Years of daily data", decimal(years, 1), {
          ...YEARS,
          value: years,
          onInput: (moved) => change({ years: moved }),
        })}
        {slider(
          "Settings you tried",
          decimal(trials, 0),
          {
            ...TRIES,
            value: Math.log10(trials),
            onInput: (power) => change({ trials: Math.round(10 ** power) }),
          },
          {
            min: 1,
            max: 10 ** TRIES.max,
            step: "any",
            value: trials,
            onInput: (typed) => change({ trials: Math.round(typed) }),
          },
        )}
        {verdictWords(point)}
      </div>
      <Figure
        drawing={luckChart(point)}
        source={
          <>
            Bailey and López de Prado 2014 ·{" "}
            <a href="/docs/methods/how-much-of-a-sharpe-ratio-is-luck">how it is computed</a>
          </>
        }
      />
    </div>
  );
}

interface NumberInput {
  readonly min: number;
  readonly max: number;
  readonly step: number | "any";
  readonly value: number;
  readonly onInput: (value: number) => void;
}

/** A slider, and a box for the exact number, which has to lie within the box's own range if it has one. */
function slider(
  name: string,
  shown: string,
  { onInput, ...range }: NumberInput,
  { onInput: onExact, ...box }: NumberInput = { onInput, ...range },
): VNode {
  const take = (number: number) => {
    if (number >= box.min && number <= box.max) onExact(number);
  };
  return (
    <div class="field slider">
      <label>
        <span>{name}</span>
        <input
          type="range"
          {...range}
          aria-valuetext={shown}
          onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
        />
      </label>
      <input
        type="number"
        aria-label={`${name}, typed`}
        {...box}
        step="any"
        onInput={(event) => take(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

function verdictWords(point: LuckPoint): VNode {
  const { verdict } = assessed(point);
  const { trials, years, sharpe } = point;
  const tries = trials === 1 ? "One try" : `The best of ${decimal(trials, 0)} tries`;
  const time = years === 1 ? "one year" : `${decimal(years, years % 1 === 0 ? 0 : 1)} years`;
  const bar = decimal(luckAt(trials, years).expected, 2);
  return (
    <p class={`verdict ${verdict}`} aria-live="polite">
      <b>{OPENING[verdict]}</b> {tries} without any skill shows about {bar} over {time}. Yours shows{" "}
      {decimal(sharpe, 2)}.
    </p>
  );
}

/** The same arithmetic as `POST /overfitting`, for normal daily returns. */
export function assessed({ sharpe, years, trials }: LuckPoint): BacktestAssessment {
  return assessBacktest({
    sharpe,
    timeframe: "1d",
    lengthDays: Math.round(years * DAYS_A_YEAR),
    nTrials: trials,
    skew: 0,
    kurtosis: 3,
    trialsSharpeStd: null,
  });
}
