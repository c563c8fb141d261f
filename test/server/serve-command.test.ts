import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "../../scripts/program.ts";

const folder = mkdtempSync(join(tmpdir(), "hindsight-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

/** Runs a command line that cannot succeed; its exit code and what it wrote to standard error. */
async function failing(args: readonly string[]): Promise<{ code: number; said: string }> {
  let said = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  vi.spyOn(console, "error").mockImplementation((text: string) => {
    said += `${text}\n`;
  });
  const code = await runProgram(["serve", ...args]);
  return { code, said };
}

describe("hindsight serve", () => {
  test.each([
    ["--port", "http"],
    ["--port", "65536"],
    ["--port", "-1"],
    ["--port", ""],
    ["--public-url", "api.example.com"],
    ["--public-url", "ftp://api.example.com"],
    ["--public-url", "https://api.example.com/?x=1"],
    ["--cors-origin", "app.example"],
    ["--cors-origin", "https://app.example/path"],
    ["--log-level", "loud"],
    ["--workers", "4"],
    ["--state", ""],
    ["--snapshots", ""],
    ["--host", ""],
    ["--share-port", "maybe"],
    ["--metrics-port", "http"],
    ["--metrics-port", "65536"],
    ["--metrics-host", ""],
    ["--processes", "0"],
    ["--processes", "many"],
    ["--job-threads", "-1"],
  ])("refuses %s %j with one line and exit 2", async (option, value) => {
    const { code, said } = await failing([option, value]);
    expect(code).toBe(2);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(said).toContain(option.slice(2).split("-")[0]!);
  });

  test("takes options from the environment, and refuses bad ones by their name", async () => {
    vi.stubEnv("HINDSIGHT_PORT", "http");
    const { code, said } = await failing([]);
    vi.unstubAllEnvs();
    expect(code).toBe(2);
    expect(said).toContain("HINDSIGHT_PORT");
  });

  test("needs one port for several processes", async () => {
    const { code, said } = await failing(["--processes", "2", "--port", "0"]);
    expect([code, said]).toEqual([
      2,
      "error: --processes needs a --port other than 0: all share it\n",
    ]);
  });

  test("says in one line that a port is in use, exit 1", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const where = ["--snapshots", folder, "--state", join(folder, "state.db")];
    const { code, said } = await failing([
      "--port",
      String(port),
      "--log-level",
      "silent",
      ...where,
    ]);
    taken.close();
    expect(code).toBe(1);
    expect(said).toBe(
      `error: cannot listen on 127.0.0.1:${port}: the port is in use, or the address is not one of this machine\n`,
    );
  });
});
