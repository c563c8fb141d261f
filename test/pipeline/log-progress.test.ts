import { pino } from "pino";
import { expect, test } from "vitest";
import { logProgress } from "../../pipeline/log-progress.ts";

test("a log has one JSON line for each finished step and each notice", () => {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  const progress = logProgress(log);
  progress.begin("ingest");
  progress.advance(1, 2);
  progress.notice("aaa: the source withdrew 2 published days");
  progress.end({ name: "ingest", seconds: 0.123_456, facts: { coins: 2, continued: true } });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { level: 40, msg: "aaa: the source withdrew 2 published days" },
    { level: 30, stage: "ingest", seconds: 0.123, coins: 2, continued: true, msg: "stage done" },
  ]);
});
