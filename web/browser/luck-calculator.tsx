import type { VNode } from "preact";
import { useState } from "preact/hooks";
import {
  assessBacktest,
  type BacktestAssessment,
} from "../../quant/overfitting/assess-backtest.ts";
import { Figure } from "../charts/chart.tsx";
import { luckAt, luckChart } from "../charts/luck-chart.tsx";
import { decimal } from "../format.ts";
import { isTyped, luckPath, TYPED, type LuckPoint } from "../luck-point.ts";

export const FIRST_POINT: LuckPoint = { sharpe: 1.8, years: 2, trials: 100 };

const DAYS_A_YEAR = 365;
const SHARPE = { min: 0, max: 4, step: 0.05 };
const YEARS = { min: 0.5, max: 10, step: 0.5 };
type Name = keyof LuckPoint;

/** The slider of tries is logarithmic: 0 is 1 try, 4 is 10,000. */
const TRIES = { min: 0, max: 4, step: 0.01 };
export const OPENING = {
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
  const [refused, setRefused] = useState<ReadonlySet<Name>>(new Set());
  const take = (name: Name) => (value: number) => {
    const left = new Set([...refused].filter((other) => other !== name));
    if (isTyped(name, value)) {
      const next = { ...point, [name]: value };
      setPoint(next);
      if (left.size === 0) onChange?.(next);
    } else left.add(name);
    setRefused(left);
  };
  const { sharpe, years, trials } = point;
  const field = (name: Name, words: string, range: NumberInput, shown: string) =>
    slider(
      { name, words, range, shown, value: point[name], isRefused: refused.has(name) },
      take(name),
    );
  return (
    <div class="two">
      <div class="card">
        {field("sharpe", "Sharpe ratio", { ...SHARPE, value: sharpe }, decimal(sharpe, 2))}
        {field("years", "Years of daily data", { ...YEARS, value: years }, decimal(years, 1))}
        {field(
          "trials",
          "Settings you tried",
          { ...TRIES, value: Math.log10(trials), typedOf: (power) => Math.round(10 ** power) },
          decimal(trials, 0),
        )}
        {refused.size === 0 ? (
          verdictWords(point)
        ) : (
          <p class="verdict" aria-live="polite">
            No answer yet: {[...refused].map((name) => TYPED[name].said).join(" ")}
          </p>
        )}
      </div>
      <Figure
        drawing={luckChart(point, refused.size > 0)}
        source={
          <>
            Bailey and López de Prado 2014 ·{" "}
            <a href="/docs/methods/how-much-of-a-sharpe-ratio-is-luck">how it is computed</a>
            {refused.size === 0 && (
              <>
                {" · "}
                <a href={luckPath(point)} data-copy aria-live="polite">
                  copy link
                </a>
              </>
            )}
          </>
        }
      />
    </div>
  );
}

interface NumberInput {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** The number at a place of the slider, if that is another. */
  readonly typedOf?: (index: number) => number;
}

interface SliderField {
  readonly name: Name;
  readonly words: string;
  readonly range: NumberInput;
  readonly shown: string;
  readonly value: number;
  readonly isRefused: boolean;
}

/** A slider, and a box for the exact number, which says what it refuses. */
function slider(
  { name, words, range, shown, value, isRefused }: SliderField,
  onNumber: (number: number) => void,
): VNode {
  const { typedOf = (index: number) => index, ...index } = range;
  const { min, max, said } = TYPED[name];
  const box = {
    min,
    max,
    ...(!isRefused && { value }),
    ...(isRefused && { "aria-invalid": true, "aria-describedby": `no-${name}` }),
  };
  return (
    <div class="field slider">
      <label>
        <span>{words}</span>
        <input
          type="range"
          {...index}
          aria-valuetext={shown}
          onInput={(event) => onNumber(typedOf(event.currentTarget.valueAsNumber))}
        />
      </label>
      <input
        type="number"
        aria-label={`${words}, typed`}
        {...box}
        step="any"
        onInput={(event) => onNumber(event.currentTarget.valueAsNumber)}
      />
      {isRefused && (
        <p class="hint refused" id={`no-${name}`}>
          {said}
        </p>
      )}
    </div>
  );
}

function verdictWords(point: LuckPoint): VNode {
  const { verdict } = assessed(point);
  return (
    <p class={`verdict ${verdict}`} aria-live="polite">
      <b>{OPENING[verdict]}</b> {luckSentence(point)}
    </p>
  );
}

/** The bar that luck sets, and the reader's own. */
export function luckSentence({ trials, years, sharpe }: LuckPoint): string {
  const tries = trials === 1 ? "One try" : `The best of ${decimal(trials, 0)} tries`;
  const time = years === 1 ? "one year" : `${decimal(years, years % 1 === 0 ? 0 : 1)} years`;
  const bar = decimal(luckAt(trials, years).expected, 2);
  return `${tries} without any skill shows about ${bar} over ${time}. Yours shows ${decimal(sharpe, 2)}.`;
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
