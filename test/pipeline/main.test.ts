import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pipelineMain } from "../../pipeline/main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const OPTIONS = {
  source: `csv:${join(FIXTURES, "golden-prices")}`,
  board: join(FIXTURES, "golden-board.json"),
  indexDraws: 0,
  robustnessDraws: 0,
};

test("a signal once the snapshot is in force is reported as such, not as if nothing had changed", async () => {
  const out = temporaryFolder("pipeline");
  const kill = vi.spyOn(process, "kill").mockReturnValue(true); // the signal that would end this process
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const others = process.listeners("SIGTERM"); // of other tests' programs, which would end this process
  const info = ({ stage }: { readonly stage?: string }) => {
    if (stage !== "publish") return;
    const own = process.listeners("SIGTERM").filter((listener) => !others.includes(listener));
    for (const listener of own) listener("SIGTERM");
  };
  const log = { info, warn() {} } as unknown as Logger;
  const flush = vi.fn<() => void>();
  await pipelineMain({ ...OPTIONS, out }, { log, flush });
  const id = readFileSync(join(out, "CURRENT"), "utf8").trim();
  expect(write.mock.calls).toEqual([[`error: stopped by SIGTERM, "${id}" is published\n`]]);
  expect(flush, "the last lines of the log").toHaveBeenCalledOnce();
  expect(kill).toHaveBeenCalledWith(process.pid, "SIGTERM");
  for (const spy of [kill, write]) spy.mockRestore();
});

describe("at a terminal", () => {
  const log = {} as Logger; // nothing is logged
  let screen = "";
  beforeEach(() => {
    screen = "";
    vi.spyOn(process.stdout, "write").mockImplementation(
      (text) => ((screen += String(text)), true),
    );
    vi.spyOn(process.stderr, "write").mockImplementation(
      (text) => ((screen += String(text)), true),
    );
    Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
  });
  afterEach(() => {
    Object.defineProperty(process.stdout, "isTTY", { value: undefined, configurable: true });
    vi.restoreAllMocks();
  });

  test("a run ends with what it took and where the snapshot is, in a folder that it makes", async () => {
    const out = join(temporaryFolder("pipeline"), "a", "new one");
    expect(await pipelineMain({ ...OPTIONS, out }, { log, flush() {} })).toBe(0);
    const dir = join(out, readFileSync(join(out, "CURRENT"), "utf8").trim());
    const end = new RegExp(
      `\n  total +[0-9.]+ s {2}peak MB [1-9][0-9,]{1,4}\n\nPublished ${relative(process.cwd(), dir)}\n$`,
    );
    expect(screen).toMatch(end);
  });

  test("a failure has a line of its own, below the step in progress", async () => {
    const options = { ...OPTIONS, out: temporaryFolder("pipeline"), asOf: "2020-01-01" };
    expect(await pipelineMain(options, { log, flush() {} })).toBe(1);
    expect(screen).toMatch(/  ingest \.\.\.\nerror: [^\n]+\n$/);
  });
});
