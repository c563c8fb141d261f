import type { Logger } from "pino";
import type { Progress } from "./progress.ts";

/** One JSON line for each finished step and each notice, for machines. */
export function logProgress(log: Logger): Progress {
  return {
    begin() {},
    advance() {},
    end({ name, seconds, facts }) {
      log.info({ stage: name, seconds: Number(seconds.toFixed(3)), ...facts }, "stage done");
    },
    notice(text) {
      log.warn(text);
    },
  };
}
