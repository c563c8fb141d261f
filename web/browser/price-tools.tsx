import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { FIRST_RANGE, PRICE_RANGES, type PriceRange } from "../price-view.ts";

export const RANGES = Object.keys(PRICE_RANGES) as readonly PriceRange[];

const FIRST_VIEW = { range: FIRST_RANGE, isLinear: false };

/** Buttons for the period and the scale of a coin's prices. `onChange` returns what went wrong, or "". */
export function PriceTools({
  first = FIRST_VIEW,
  onChange,
}: {
  readonly first?: typeof FIRST_VIEW;
  readonly onChange?: (range: PriceRange, isLinear: boolean) => Promise<string>;
}): VNode {
  const [range, setRange] = useState<PriceRange>(first.range);
  const [isLinear, setLinear] = useState(first.isLinear);
  const [problem, setProblem] = useState("");
  const show = async (nextRange: PriceRange, nextLinear: boolean) => {
    setRange(nextRange);
    setLinear(nextLinear);
    setProblem((await onChange?.(nextRange, nextLinear)) ?? "");
  };
  const button = (name: string, isOn: boolean, press: () => Promise<void>) => (
    <button
      key={name}
      type="button"
      class="quiet"
      aria-pressed={isOn ? "true" : "false"}
      onClick={() => void press()}
    >
      {name}
    </button>
  );
  return (
    <div class="switches">
      <span role="group" aria-label="Period">
        {RANGES.map((name) => button(name, name === range, () => show(name, isLinear)))}
      </span>
      <span role="group" aria-label="Scale">
        {button("log", !isLinear, () => show(range, false))}
        {button("linear", isLinear, () => show(range, true))}
      </span>
      <span role="status">{problem}</span>
    </div>
  );
}
