import { FileRefused } from "../files/refused.ts";
import { snakeCase } from "../quant/letter-case.ts";
import type { CheckFileOptions } from "./check-file.ts";
import { READ_NAMES } from "./formats/export.ts";

/** Refuses options about a live record where there is none. */
export function checkLiveOptions(options: CheckFileOptions, hasLiveFile: boolean): void {
  if (hasLiveFile) return;
  const { live = {}, liveSelected, liveSince } = options;
  const names = READ_NAMES.filter((name) => live[name] !== undefined && live[name] !== false).map(
    (name) => `live_${snakeCase(name)}`,
  );
  if (liveSelected !== undefined && liveSince === undefined) names.unshift("live_selected");
  if (names.length === 0) return;
  throw new FileRefused(
    `${names.join(", ")}: there is no live record; add its file, or leave this out`,
  );
}
