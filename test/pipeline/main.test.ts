import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { expect, test, vi } from "vitest";
import { pipelineMain } from "../../pipeline/main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const OPTIONS = {
  source: `csv:${join(FIXTURES, "golden-prices")}`,
  board: join(FIXTURES, "golden-board.json"),
  indexDraws: 0,
};

test("a signal once the snapshot is in force says so, not that nothing was changed", async () => {
  const out = temporaryFolder("pipeline");
  const kill = vi.spyOn(process, "kill").mockReturnValue(true); // the signal that would end this process
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const info = ({ stage }: { readonly stage?: string }) => {
    if (stage === "publish") process.emit("SIGTERM", "SIGTERM");
  };
  const log = { info, warn() {} } as unknown as Logger;
  const flush = vi.fn();
  await pipelineMain({ ...OPTIONS, out }, { log, flush });
  const id = readFileSync(join(out, "CURRENT"), "utf8").trim();
  expect(write.mock.calls).toEqual([[`error: stopped by SIGTERM, "${id}" is published\n`]]);
  expect(flush, "the last lines of the log").toHaveBeenCalledOnce();
  expect(kill).toHaveBeenCalledWith(process.pid, "SIGTERM");
  for (const spy of [kill, write]) spy.mockRestore();
});
