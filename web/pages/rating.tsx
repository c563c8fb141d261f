import type { Rated, Reading } from "../../api/reading.ts";
import type { VNode } from "preact";
import { decimal, ratingWords } from "../format.ts";
import { averageParts, oscillatorParts, type RatingPart } from "../rating-parts.ts";
import { Table } from "../table.tsx";

/** What the rating of a coin is made of: each signal with its value and rule. */
export function ratingSection(reading: Reading, worth: string): VNode | null {
  const { summary } = reading;
  if (summary === null || summary.rating === null) return null;
  return (
    <section aria-label="The rating">
      <h2>What the rating is made of</h2>
      <p>
        A signal that says buy counts 1, one that says sell −1. The rating is the mean of two
        halves, {decimal(summary.score, 2)}: above 0.1 is a buy, above 0.5 a strong one, and the
        same below zero for sell. It describes the chart. <a href="/coins#worth">{worth}</a>.
      </p>
      <div class="two even">
        {half("Moving averages", summary.moving_averages, averageParts(reading))}
        {half("Oscillators", summary.oscillators, oscillatorParts(reading))}
      </div>
    </section>
  );
}

function half(name: string, count: Rated, parts: readonly RatingPart[]): VNode {
  return (
    <div>
      <h3>
        {name}: {ratingWords(count.rating)}, {decimal(count.score, 2)}
      </h3>
      {signalStrip(count)}
      <details>
        <summary>
          {count.buy} buy, {count.neutral} neutral, {count.sell} sell: each with its value
        </summary>
        <Table
          label={`${name}, each with its value`}
          columns={[
            { name: "signal", isText: true, cell: signalCell },
            { name: "value", cell: (part) => part.value },
            { name: "says", isText: true, cell: saysCell },
          ]}
          rows={parts}
        />
      </details>
    </div>
  );
}

const signalCell = ({ name, rule }: RatingPart) => (
  <>
    {name}
    <span class="detail">{rule}</span>
  </>
);

function saysCell({ signal }: RatingPart): VNode {
  const tone = signal === "buy" ? "good" : signal === "sell" ? "bad" : undefined;
  return <span class={tone}>{signal ?? "too young"}</span>;
}

const WIDTH = 400;
const HEIGHT = 14;

/** A bar in three parts, buy to sell, each as long as it has signals. */
function signalStrip({ buy, neutral, sell }: Rated): VNode {
  const unit = WIDTH / Math.max(1, buy + neutral + sell);
  const parts = [
    ["fill-skill", 0, buy],
    ["fill-context", buy, neutral],
    ["fill-luck", buy + neutral, sell],
  ] as const;
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT };
  return (
    <svg class="chart strip" {...size} aria-hidden="true">
      {parts.map(([tone, before, signals]) => {
        const width = Math.max(0, signals * unit - 2);
        return <rect key={tone} class={tone} x={before * unit} width={width} height={HEIGHT} />;
      })}
    </svg>
  );
}
