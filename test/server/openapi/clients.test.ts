import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { docsFolder } from "../../../server/pages/docs-folder.ts";
import { ServerFixture } from "../../support/server-fixture.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const PAGE = readFileSync(join(docsFolder(), "clients.md"), "utf8");
const PRINTED = [
  /^DCA into btc returned -?[\d.]+ %, a lump sum -?[\d.]+ %$/,
  /^a Sharpe ratio of 1\.8, the best of 100 tries: (skill|luck|inconclusive)$/,
  /^donchian_breakout on btc: Sharpe -?[\d.]+$/,
];
/** No npm package brings Python, so a newcomer's `make test` has to do without it. */
const hasPython = spawnSync("python3", ["--version"]).status === 0;

function program(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`docs/clients.md has no program in ${language}`);
  return found;
}

let server: ServerFixture;
let jobs: NodeJS.Timeout;
beforeAll(async () => {
  server = await ServerFixture.start();
  vi.stubEnv("BASE", `${server.origin}/v1`);
  vi.stubEnv("KEY", await server.key("paid"));
  jobs = setInterval(() => server.runNext(), 20);
});
afterAll(async () => {
  clearInterval(jobs);
  vi.unstubAllEnvs();
  await server.close();
});

/** Whether each line is what a program prints at that place, with none left over. */
function asPrinted(lines: readonly string[]): boolean {
  return lines.length === PRINTED.length && PRINTED.every((line, at) => line.test(lines[at] ?? ""));
}

describe("the programs of docs/clients.md run as they are printed", () => {
  test("in TypeScript", async () => {
    const file = join(temporaryFolder("clients"), "client.ts");
    writeFileSync(file, `${program("ts")}\nexport {};\n`);
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await import(/* @vite-ignore */ file);
    const lines = log.mock.calls.map((words) => words.join(" "));
    expect(asPrinted(lines), `of ${lines.join("\n")}`).toBe(true);
  });

  test.runIf(hasPython)("in Python", async () => {
    const child = spawn("python3", ["-c", program("python")]);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(err).toBe("");
    expect(asPrinted(out.trim().split("\n")), `of ${out}`).toBe(true);
  });
});
