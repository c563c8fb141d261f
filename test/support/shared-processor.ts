import { getPriority, setPriority } from "node:os";

/** Checks and backtests give way to requests. Beside three other workers they would hardly run, so the tests step back, too. */
const NICE = 15;

try {
  if (getPriority() < NICE) setPriority(NICE);
} catch {
  // A system that refuses it refuses it to them, too.
}
