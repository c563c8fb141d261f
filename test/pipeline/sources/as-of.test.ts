import { describe, expect, test } from "vitest";
import { dayOfInstant, reachedHorizon, resolveAsOf } from "../../../pipeline/sources/as-of.ts";
import { InputError } from "../../../pipeline/sources/input-error.ts";
import type { PriceSource } from "../../../pipeline/sources/source.ts";

const TODAY = 20_778; // 2026-11-21
const source = (newestDay: (limit: number) => number | null) =>
  ({ name: "csv", newestDay: (limit) => Promise.resolve(newestDay(limit)) }) as PriceSource;
const everything = source((limit) => limit);

describe("resolveAsOf", () => {
  test("is yesterday if the source reaches it, and the clock then counts", async () => {
    expect(await resolveAsOf(everything, { today: TODAY })).toEqual({
      asOf: TODAY - 1,
      today: TODAY,
    });
  });

  test("goes back to a requested date, and the clock then does not matter", async () => {
    const horizon = await resolveAsOf(everything, { today: TODAY, requested: "2026-11-19" });
    expect(horizon).toEqual({ asOf: TODAY - 2, today: null });
    const later = await resolveAsOf(everything, { today: TODAY + 99, requested: "2026-11-19" });
    expect(later).toEqual(horizon);
  });

  describe("where a later day is published", () => {
    const short = source((limit) => Math.min(limit, TODAY - 9));

    test("refuses a source that ends before it, and says how to go back on purpose", async () => {
      for (const requested of [undefined, "2026-11-20", "2026-11-17"]) {
        const attempt = resolveAsOf(short, { today: TODAY, requested, published: TODAY - 4 });
        await expect(attempt).rejects.toThrow(InputError);
        await expect(attempt).rejects.toThrow(
          'source "csv" ends on 2026-11-12, and 2026-11-17 is published: ' +
            "bring its missing days back, or go back on purpose with --as-of 2026-11-12",
        );
      }
    });

    test("refuses a clock that was set back before it, and says how to go back on purpose", async () => {
      const attempt = resolveAsOf(everything, { today: TODAY, published: TODAY });
      await expect(attempt).rejects.toThrow(InputError);
      await expect(attempt).rejects.toThrow(
        "by this machine's clock 2026-11-20 is the last day that is over, and 2026-11-21 is published: " +
          "set the clock, or go back on purpose with --as-of 2026-11-20",
      );
      const at = { today: TODAY, requested: "2026-11-20", published: TODAY };
      expect(await resolveAsOf(everything, at)).toEqual({ asOf: TODAY - 1, today: null });
    });

    test("goes back to an earlier day on request", async () => {
      const at = { today: TODAY, requested: "2026-11-16", published: TODAY - 4 };
      expect(await resolveAsOf(short, at)).toEqual({ asOf: TODAY - 9, today: null });
    });

    test("publishes the same day again", async () => {
      const at = { today: TODAY, published: TODAY - 9 };
      expect(await resolveAsOf(short, at)).toEqual({ asOf: TODAY - 9, today: TODAY });
    });
  });

  describe("when the prices are there", () => {
    const horizon = { asOf: TODAY - 1, today: TODAY };

    test("is the newest day that a coin has", () => {
      const at = { newest: TODAY - 3, published: TODAY - 3 };
      expect(reachedHorizon(everything, horizon, at)).toEqual({ asOf: TODAY - 3, today: TODAY });
      expect(reachedHorizon(everything, horizon, { newest: TODAY - 1 })).toEqual(horizon);
    });

    test("is not before what is published, unless requested", () => {
      const at = { newest: TODAY - 3, published: TODAY - 2 };
      expect(() => reachedHorizon(everything, horizon, at)).toThrow(
        'source "csv" ends on 2026-11-18, and 2026-11-19 is published',
      );
      const back = { asOf: TODAY - 3, today: null };
      expect(reachedHorizon(everything, back, at)).toEqual(back);
    });
  });

  test.each([
    ["2026-11-21", 'at most 2026-11-20, got "2026-11-21"'],
    ["2030-01-01", "expected a day that is over"],
    ["2026-02-30", 'expected a date YYYY-MM-DD, got "2026-02-30"'],
    ["yesterday", "expected a date"],
    ["", "expected a date"],
  ])("refuses %j", async (requested, expected) => {
    const attempt = resolveAsOf(everything, { today: TODAY, requested });
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(expected);
  });

  test("says when the source has nothing that old", async () => {
    const attempt = resolveAsOf(
      source(() => null),
      { today: TODAY, requested: "1999-01-01" },
    );
    await expect(attempt).rejects.toThrow(
      'source "csv" has no price of any board coin up to 1999-01-01',
    );
  });
});

test("a UTC day begins at its midnight", () => {
  expect(dayOfInstant(Date.parse("2026-11-20T23:59:59.999Z"))).toBe(TODAY - 1);
  expect(dayOfInstant(Date.parse("2026-11-21T00:00:00.000Z"))).toBe(TODAY);
});
