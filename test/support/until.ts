import { vi } from "vitest";

/** The time that a test may take. The default limit of a second would be used up by a pause of the machine. */
const PATIENTLY = { timeout: 60_000, interval: 25 };

/** Waits until a condition holds, and returns what it found. */
export const until = <Found>(condition: () => Found | Promise<Found>) =>
  vi.waitUntil(condition, PATIENTLY);

/** The same where each look is a request that counts: five a second stay below the rate of the plan "scale". */
export const untilAnswered = <Found>(ask: () => Promise<Found>) =>
  vi.waitUntil(ask, { ...PATIENTLY, interval: 200 });

/** Waits until an attempt no longer fails, and returns its result. */
export const untilItPasses = <Result>(attempt: () => Result | Promise<Result>) =>
  vi.waitFor(attempt, PATIENTLY);
