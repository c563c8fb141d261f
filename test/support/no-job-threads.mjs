/** Imported before the program: a system that starts no threads for backtests, where Node throws from the constructor. */
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

threads.Worker = class extends threads.Worker {
  constructor(file, ...rest) {
    if (String(file).includes("piscina")) {
      throw Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
    }
    super(file, ...rest);
  }
};
syncBuiltinESMExports();
