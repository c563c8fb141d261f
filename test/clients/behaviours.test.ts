import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkRunner } from "../../server/checks/run-check.ts";
import { tableFiles } from "../../server/requests/table-files.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { publishDemo } from "../support/publish-demo.ts";
import { ServerFixture } from "../support/server-fixture.ts";
import { servedDocument } from "../support/server-schema.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { troubledProxy } from "../support/troubled-proxy.ts";

/** A folder that .ci/client-tools has filled: no package of ours brings these programs. */
const TOOLS = process.env["HINDSIGHT_CLIENT_TOOLS"];
if (TOOLS === undefined)
  process.stderr.write("tests of the clients are skipped: HINDSIGHT_CLIENT_TOOLS is not set\n");

const RULES = Array.from(
  readFileSync("clients/behaviours.md", "utf8").matchAll(/^(\d+)\. /gm),
  ([, number]) => Number(number),
);

const PROGRAM_MS = 300_000;

describe.runIf(TOOLS !== undefined)("packed, and installed into an empty folder,", () => {
  const folder = temporaryFolder("clients");
  const site = join(folder, "site");
  const empty = join(folder, "empty");
  let server: ServerFixture;
  let proxy: Awaited<ReturnType<typeof troubledProxy>>;
  let jobs: NodeJS.Timeout;

  beforeAll(async () => {
    const root = join(folder, "snapshots");
    await publishDemo(root, "2024-06-01", "2024-06-02T00:10:00Z");
    const snapshot = await openSnapshot((await findCurrent(root))!);
    const runCheck = checkRunner({ snapshots: root });
    server = await ServerFixture.start({ snapshot, tables: tableFiles(root, () => {}), runCheck });
    proxy = await troubledProxy(server.origin);
    jobs = setInterval(() => server.runNext(), 20);
    writeFileSync(join(folder, "document.json"), JSON.stringify(servedDocument()));
    await run("clients/build", [TOOLS!, folder]);
    const wheel = ["--no-deps", "--no-index", "--find-links", folder, "hindsight-backtests"];
    await run(tool("pip"), ["install", "--quiet", "--target", site, ...wheel]);
    mkdirSync(empty);
    for (const file of ["behaviours.test.mjs", "program.ts"])
      copyFileSync(join("clients/typescript", file), join(empty, file));
    const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
    const quiet = ["--silent", "--no-audit", "--no-fund", "--prefer-offline", "--prefix", empty];
    await run("npm", ["install", ...quiet, join(folder, packed)]);
  });
  afterAll(async () => {
    clearInterval(jobs);
    proxy.close();
    await server.close();
  });

  const tool = (name: string) => join(TOOLS!, "venv/bin", name);

  async function run(program: string, args: readonly string[], more: Record<string, string> = {}) {
    const python = { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: "1", MYPYPATH: site };
    const env = { ...process.env, ...python, ...more };
    const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 1 << 24 }).catch(
      (failed: { stdout: string; stderr: string }) => {
        throw new Error(`${program}: ${failed.stdout}${failed.stderr}`);
      },
    );
    return stdout;
  }

  /** Where the tests of a client find the server, with accounts of their own. */
  async function surroundings(client: string): Promise<Record<string, string>> {
    const key = (plan: string) => server.key(plan, `${client}-${plan}@example.com`);
    const keys = { roomy: await key("roomy"), paid: await key("paid"), spent: await key("three") };
    for (const coin of ["btc", "eth", "xrp"]) await server.get(`/v1/dca?coin=${coin}`, keys.spent);
    const own = { HINDSIGHT_URL: `${server.origin}/v1`, HINDSIGHT_KEY: keys.roomy };
    const at = {
      SERVER: server.origin,
      PROXY: proxy.origin,
      DOCUMENT: join(folder, "document.json"),
    };
    return { ...own, ...at, KEYS: JSON.stringify(keys) };
  }

  async function pytest(file: string): Promise<string> {
    const args = ["-q", "-rA", "-p", "no:cacheprovider", `clients/python/tests/${file}`];
    return await run(tool("pytest"), args, await surroundings(file.replace(/\W/g, "-")));
  }

  const numbers = (passed: Iterable<RegExpMatchArray>) =>
    Array.from(passed, ([, number]) => Number(number)).sort((a, b) => a - b);

  test.concurrent("the Python client follows every rule", { timeout: PROGRAM_MS }, async () => {
    const out = await pytest("test_behaviours.py");
    expect(numbers(out.matchAll(/^PASSED .*::test_\w*?\[?(\d\d)\]?$/gm))).toEqual(RULES);
  });

  // Alone: its libraries compile themselves.
  test("it reads frames and checks objects", { timeout: PROGRAM_MS }, async () => {
    expect(await pytest("test_frames.py")).toMatch(/\d passed/);
  });

  // Alone, too.
  test("its notebook prints what it has kept", { timeout: PROGRAM_MS }, async () => {
    const file = "docs/notebook.ipynb";
    const out = process.env["HINDSIGHT_GOLDEN"] === "write" ? [file] : [];
    const args = ["test/clients/notebook.py", file, ...out];
    const printed = await run(tool("python"), args, await surroundings("notebook"));
    const { kept, printed: again } = JSON.parse(printed.trim().split("\n").at(-1)!) as Record<
      string,
      string[]
    >;
    expect(again).toHaveLength(5);
    expect(again).toEqual(out.length > 0 ? again : kept);
  });

  test.concurrent("it passes mypy's strict checks", { timeout: PROGRAM_MS }, async () => {
    const sources = [join(site, "hindsight_backtests"), "clients/python/tests/program.py"];
    expect(
      await run(tool("mypy"), ["--strict", "--cache-dir", join(folder, "mypy"), ...sources]),
    ).toContain("Success");
  });

  test.concurrent("the TypeScript client does", { timeout: PROGRAM_MS }, async () => {
    const args = ["--test", "--test-reporter=tap", join(empty, "behaviours.test.mjs")];
    const out = await run(process.execPath, args, await surroundings("typescript"));
    const passed = numbers(out.matchAll(/^ok \d+ - (\d\d)$/gm));
    expect([...passed, 4].sort((a, b) => a - b)).toEqual(RULES); // the fourth is the next test
  });

  test.concurrent("all its operations are typed", { timeout: PROGRAM_MS }, async () => {
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"];
    const args = [...strict, "--lib", "es2022,dom", join(empty, "program.ts")];
    expect(await run(join(TOOLS!, "node_modules/.bin/tsc"), args)).toBe("");
  });

  const PAGES = ["docs/clients.md", "clients/python/README.md", "clients/typescript/README.md"];
  test.concurrent.each(PAGES)(
    "programs of %s run as printed",
    { timeout: PROGRAM_MS },
    async (page) => {
      const programs = readFileSync(page, "utf8").matchAll(/```(python|ts)\n(.*?)```/gs);
      const more = await surroundings(page.replace(/\W/g, "-"));
      for (const [, language, program = ""] of programs) {
        const script = join(empty, `printed-${page.replace(/\W/g, "-")}.mjs`);
        writeFileSync(script, program.replaceAll("!", ""));
        const out = await (language === "ts"
          ? run(process.execPath, [script], more)
          : run(tool("python"), ["-c", program], more));
        expect(out).toMatch(
          language === "ts" ? /^-?[\d.]+\n$/ : /^-?[\d.]+ (skill|luck|inconclusive)\n$/,
        );
      }
    },
  );
});
