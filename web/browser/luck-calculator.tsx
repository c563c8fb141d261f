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
/** The slider of tries moves in powers of ten. */
const TRIES = { min: 0, max: 4, step: 0.01 };
const OPENING = {
  luck: "Luck does this often.",
  inconclusive: "Too close to call.",
  skill: "Luck would rarely do this.",
};

/** The Sharpe ratio, years and tries of a reader beside what luck shows. */
export function LuckCalculator({
  first = FIRST_POINT,
  onChange,
}: {
  readonly first?: LuckPoint;
  readonly onChange?: (point: LuckPoint) => void;
}): VNode {
  const [point, setPoint] = useState(first);
  const change = (part: Partial<LuckPoint>) => {
    const next = { ...point, ...part };
    setPoint(next);
    onChange?.(next);
  };
  return (
    <div class="two">
      <div class="card">
        <Slider
          name="Sharpe ratio"
          value={point.sharpe}
          shown={decimal(point.sharpe, 2)}
          range={SHARPE}
          onInput={(sharpe) => change({ sharpe })}
          box={{ ...SHARPE, value: point.sharpe, onInput: (sharpe) => change({ sharpe }) }}
        />
        <Slider
          name="Years of daily data"
          value={point.years}
          shown={decimal(point.years, 1)}
          range={YEARS}
          onInput={(years) => change({ years })}
          box={{ ...YEARS, value: point.years, onInput: (years) => change({ years }) }}
        />
        <Slider
          name="Settings you tried"
          value={Math.log10(point.trials)}
          shown={decimal(point.trials, 0)}
          range={TRIES}
          onInput={(power) => change({ trials: Math.round(10 ** power) })}
          box={{
            min: 1,
            max: 10 ** TRIES.max,
            value: point.trials,
            onInput: (trials) => change({ trials: Math.round(trials) }),
          }}
        />
        <Verdict point={point} />
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

interface NumberBox {
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly onInput: (value: number) => void;
}

/** A slider with a box for the exact number, which has to lie in the slider's range. */
function Slider({
  name,
  value,
  shown,
  range,
  onInput,
  box: { min, max, value: exact, onInput: onExact },
}: {
  readonly name: string;
  readonly value: number;
  readonly shown: string;
  readonly range: { readonly min: number; readonly max: number; readonly step: number };
  readonly onInput: (value: number) => void;
  readonly box: NumberBox;
}): VNode {
  const take = (number: number) => {
    if (number >= min && number <= max) onExact(number);
  };
  return (
    <div class="field slider">
      <label>
        <span>{name}</span>
        <input
          type="range"
          {...range}
          value={value}
          aria-valuetext={shown}
          onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
        />
      </label>
      <input
        type="number"
        aria-label={`${name}, typed`}
        min={min}
        max={max}
        step="any"
        value={exact}
        onInput={(event) => take(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

function Verdict({ point }: { readonly point: LuckPoint }): VNode {
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
