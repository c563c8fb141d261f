import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../support/refused-second-thread.mjs", import.meta.url));

test("a thread that the system refuses is an error of each computation, and of nothing else", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], {
    encoding: "utf8",
    timeout: 30_000,
  });
  const refused = "ERR_WORKER_INIT_FAILED";
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `${refused} ${refused} ${refused}, threads asked for: 2\n`,
    stderr: "",
  });
});
