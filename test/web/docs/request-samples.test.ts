import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { RequestForm } from "../../../web/docs/operation.ts";
import { addressOf, firstValues, samplesOf } from "../../../web/docs/request-samples.ts";

const MEMBER = {
  type: "string",
  description: "",
  default: "",
  allowed: "",
  members: [],
  choices: [],
};
const READ: RequestForm = {
  method: "GET",
  url: "https://api.test/v1/jobs/{id}",
  needsKey: true,
  parameters: [
    { ...MEMBER, name: "id", in: "path", isRequired: true, example: "a b" },
    { ...MEMBER, name: "coin", in: "query", isRequired: true, example: "btc" },
    { ...MEMBER, name: "date", in: "query", isRequired: false, example: "2024-01-01" },
    { ...MEMBER, name: "X-Request-Id", in: "header", isRequired: false, example: "" },
  ],
  body: undefined,
};
const WRITE: RequestForm = {
  method: "POST",
  url: "https://api.test/v1/overfitting",
  needsKey: true,
  parameters: [],
  body: {
    type: "application/json",
    isFile: false,
    examples: [{ title: "one", text: '{\n  "name": "it\'s"\n}' }],
  },
};
const FILE: RequestForm = {
  ...WRITE,
  url: "https://api.test/v1/check",
  body: { type: "application/octet-stream", isFile: true, examples: [] },
};

const hasPython = spawnSync("python3", ["--version"]).status === 0;

const sampleOf = (form: RequestForm, language: string, values = firstValues(form)) =>
  samplesOf(form, values).find((sample) => sample.language === language)!.code;

/** What a shell makes of a line of curl: its arguments. */
function shellArguments(code: string): readonly string[] {
  const script = code.replace("curl", "printf '%s\\n'");
  const env = { ...process.env, KEY: "hs_test_1" };
  return execFileSync("sh", ["-c", script], { encoding: "utf8", env }).trimEnd().split("\n");
}

describe("a request as one would write it", () => {
  test("has what is required, in path and query, and nothing else", () => {
    expect(addressOf(READ, firstValues(READ))).toBe("https://api.test/v1/jobs/a%20b?coin=btc");
    const filled = { parameters: { id: "7", coin: "a&b", date: "2024-01-01" }, body: "" };
    expect(addressOf(READ, filled)).toBe("https://api.test/v1/jobs/7?coin=a%26b&date=2024-01-01");
  });

  test("is taken by a shell as it is meant, quotes too", () => {
    expect(shellArguments(sampleOf(READ, "curl"))).toEqual([
      "-H",
      "Authorization: Bearer hs_test_1",
      "https://api.test/v1/jobs/a%20b?coin=btc",
    ]);
    const sent = shellArguments(sampleOf(WRITE, "curl")).join("\n");
    const [, body] = /--data-binary\n(.*)\nhttps:/s.exec(sent)!;
    expect(JSON.parse(body!)).toEqual({ name: "it's" });
    expect(sampleOf(FILE, "curl")).toContain("--data-binary '@returns.csv'");
  });

  test("is valid JavaScript, with the key from the environment", () => {
    for (const form of [READ, WRITE, FILE]) {
      const input = sampleOf(form, "JavaScript");
      execFileSync(process.execPath, ["--check", "--input-type=module", "-"], { input });
      expect(input).toContain("process.env.KEY");
    }
  });

  test.runIf(hasPython)("is valid Python, with the key from the environment", () => {
    for (const form of [READ, WRITE, FILE]) {
      const input = sampleOf(form, "Python");
      execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input });
      expect(input).toContain('os.environ["KEY"]');
    }
    expect(sampleOf(FILE, "Python")).toContain('data=open("returns.csv", "rb")');
  });

  test("has the header fields that were filled in", () => {
    const { parameters } = firstValues(READ);
    const values = { parameters: { ...parameters, "X-Request-Id": "mine" }, body: "" };
    for (const { code } of samplesOf(READ, values)) expect(code).toContain("X-Request-Id");
  });
});
