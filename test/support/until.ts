import { vi } from "vitest";

/** As long as a test may take: a limit of its own, a second by default, is used up by a pause of the machine. */
const PATIENTLY = { timeout: 60_000, interval: 5 };

/** Waits for something that happens elsewhere, and returns it. */
export const until = <Found>(condition: () => Found | Promise<Found>) =>
  vi.waitUntil(condition, PATIENTLY);

/** The same where looking is a request that counts: five a second stay below the rate of the plan "scale". */
export const untilAnswered = <Found>(ask: () => Promise<Found>) =>
  vi.waitUntil(ask, { ...PATIENTLY, interval: 200 });

/** Waits until something can be done that fails at first. */
export const untilItPasses = <Result>(attempt: () => Result | Promise<Result>) =>
  vi.waitFor(attempt, PATIENTLY);
