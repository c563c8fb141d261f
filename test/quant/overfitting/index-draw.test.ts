import { describe, expect, test } from "vitest";
import { indexDraw, PANEL_DAYS } from "../../../quant/overfitting/index-draw.ts";
import { panelOf } from "../../../quant/overfitting/index-panel.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const COINS = [1, 2, 3].map((seed) => madeUpBars({ seed, days: PANEL_DAYS }));
const PANEL = panelOf(COINS, { lastDay: COINS[0]!.day.at(-1)!, days: PANEL_DAYS });

describe("indexDraw", () => {
  const first = indexDraw({ panel: PANEL, seed: 24_311, draw: 0 });

  test("is the same draw whenever it is taken", () => {
    const second = indexDraw({ panel: PANEL, seed: 24_311, draw: 1 });
    expect(second).not.toEqual(first);
    expect(indexDraw({ panel: PANEL, seed: 24_311, draw: 0 })).toEqual(first);
  });

  test("is a whole index over all coins of the panel", () => {
    expect(first).toMatchObject({ coins: 3, runs: 858 });
    expect(first.value).toBeGreaterThan(0);
    expect(first.value).toBeLessThan(100);
  });
});
