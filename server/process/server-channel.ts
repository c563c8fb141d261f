/** The backtest process's end of the channel to the server that started it. */
import type { FromBacktestProcess, ToBacktestProcess } from "./backtest-process.ts";

/** Does nothing if the server is gone. */
export function sendToServer(message: FromBacktestProcess): void {
  if (process.connected) process.send?.(message, () => {});
}

export function onServerMessage(handle: (message: ToBacktestProcess) => void): void {
  process.on("message", handle);
}

export function onServerGone(handle: () => void): void {
  if (process.connected) process.once("disconnect", handle);
  else handle();
}
