import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DATASET_METHOD } from "../../../quant/dataset/definition.ts";
import { ENGINE_VERSION } from "../../../quant/engine/version.ts";
import { INDEX_VERSION } from "../../../quant/overfitting/index-definition.ts";
import board from "../../../pipeline/board.json" with { type: "json" };
import { docsFolder } from "../../../server/pages/docs-folder.ts";
import { openApiDocument } from "../../../server/openapi/openapi.ts";
import { coinOf } from "../../../server/routes/board.ts";
import { ServerFixture } from "../../support/server-fixture.ts";
import { MARKET, marketSnapshot } from "../../support/server-market.ts";

const read = (file: string) => readFileSync(join(docsFolder(), file), "utf8");

const PAGES = ["../README.md", ...readdirSync(docsFolder()).filter((file) => file.endsWith(".md"))];
/** A page's fenced blocks in one language. */
const blocks = (page: string, language: string) =>
  [...read(page).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(
    ([, text]) => text!,
  );

// No file is at hand, so the check itself is left out.
const server = await ServerFixture.start({
  runCheck: async () => ({ kind: "report", json: '{"verdict":null}' }),
});
const key = await server.key("paid");
afterAll(() => server.close());

/** Sends the request of a curl line, with a key if the line sends one. */
async function ask(curl: string): Promise<Response> {
  const path = /'http:\/\/127\.0\.0\.1:8080(\/[^']*)'/.exec(curl)?.[1] ?? "";
  const headers = [...curl.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [
    name!.toLowerCase(),
    value,
  ]);
  const body = / (?:--data-binary |-F \w+=)@/.test(curl)
    ? "a file"
    : /-d '(\{.*?\})'/s.exec(curl)?.[1];
  const sent = Object.fromEntries(headers) as Record<string, string>;
  return await (body === undefined
    ? server.get(path, key, sent)
    : server.post(path, key, body, sent));
}

test.each(PAGES.flatMap((page) => blocks(page, "sh").flatMap((text) => curlLines(page, text))))(
  "%s: %s is answered 200",
  async (_, curl) => {
    expect((await ask(curl)).status).toBe(200);
  },
);

/**
 * The commands of a block that call the API. Those for metrics are left out, because metrics have a port of
 * their own.
 */
function curlLines(page: string, text: string): [page: string, curl: string][] {
  const commands = text.replaceAll("\\\n", " ").split("\n");
  return commands.filter((line) => /^curl .*:8080/.test(line)).map((curl) => [page, curl]);
}

test("every JSON example is JSON", () => {
  for (const page of PAGES) for (const text of blocks(page, "json")) JSON.parse(text);
  expect(PAGES.flatMap((page) => blocks(page, "json")).length).toBeGreaterThan(4);
});

test("the README's question has the README's answer", async () => {
  const [, question] = blocks("../README.md", "sh").flatMap((text) => curlLines("", text))[0]!;
  const printed = JSON.parse(blocks("../README.md", "json")[0]!) as { data: object };
  expect(await (await ask(question)).json()).toMatchObject({ data: printed.data });
});

test("the printed refusal of a coin is that of the built-in board", () => {
  const coins = board.map(({ ticker, name }) => ({ ...MARKET[0]!, ticker, name, days: 1 }));
  const printed = [...blocks("errors.md", "json"), JSON.stringify(openApiDocument(""))].flatMap(
    (text) => [...text.matchAll(/"(coin \\"btx.*?)"(?:,\n|\])/g)],
  );
  expect(printed).toHaveLength(2);
  for (const [, message] of printed) {
    expect(() => coinOf(marketSnapshot("id", coins), "btx")).toThrow(
      JSON.parse(`"${message}"`) as string,
    );
  }
});

test("the page of changes names the versions in force", () => {
  const { info } = openApiDocument("") as { info: { version: string } };
  const rows = [...read("changes.md").matchAll(/^\| ([a-z ]+?) +\| ([\d.]+) /gm)];
  expect(Object.fromEntries(rows.map(([, name, version]) => [name, version]))).toEqual({
    release: info.version,
    engine: ENGINE_VERSION,
    "dataset method": String(DATASET_METHOD),
    index: String(INDEX_VERSION),
  });
});
