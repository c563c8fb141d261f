import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { dataOf } from "../../../server/routes/endpoint.ts";
import { json } from "../../../server/requests/formats/json.ts";
import { READ_ENDPOINTS } from "../../../server/routes/endpoints.ts";
import type { AnswerFormat } from "../../../server/requests/formats/format.ts";
import { SnapshotAnswers } from "../../../server/requests/answer.ts";
import { marketSnapshot } from "../../support/server-market.ts";

const endpointAt = (path: string) => READ_ENDPOINTS.find((endpoint) => endpoint.path === path)!;
const inJson = (query: string) => ({ format: json, fields: [], query });
const answersOf = () => new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);

/** All that callers get of an answer. */
function sent(answers: SnapshotAnswers, path: string, query: string) {
  const { etag, headers, body } = answers.find(endpointAt(path), inJson(query));
  const texts = [headers, body.plain("1}"), gunzipSync(body.gzip("1}"))].map(String);
  return { etag, texts, beginning: body.prefixBytes };
}

describe("the answers of a snapshot", () => {
  test.each(READ_ENDPOINTS.map(({ path }) => path))(
    "to %s are its data as JSON, plain and compressed, before the caller's meta",
    (path) => {
      const endpoint = endpointAt(path);
      const answers = answersOf();
      for (const parameters of [{}, { coin: "btc" }, { template: "ma_cross", coin: "btc" }]) {
        const given = endpoint.query.safeParse(parameters);
        if (!given.success) continue;
        const resolved = endpoint.resolve(answers.snapshot, given.data);
        const data = dataOf(endpoint, answers.snapshot, resolved);
        const whole = `{"data":${JSON.stringify(data)},"meta":1}`;
        const { texts } = sent(answers, path, new URLSearchParams(parameters).toString());
        expect(texts.slice(1)).toEqual([whole, whole]);
      }
    },
  );

  test("are made and tagged for each format", () => {
    const answers = answersOf();
    const lines: AnswerFormat = {
      ...json,
      name: "lines",
      write: ({ data }) => Object.keys(data).join("\n"),
    };
    const asked = { format: lines, fields: [], query: "coin=btc" };
    const other = answers.find(endpointAt("/buy-hold"), asked);
    expect(other.body.plain("").toString()).toBe("attribution\ncoin\nas_of\nclose_usd\nyears");
    expect(other.etag).toMatch(/\?coin=btc&format=lines"$/);
    expect(answers.find(endpointAt("/buy-hold"), asked)).toBe(other);
    expect(answers.find(endpointAt("/buy-hold"), inJson("coin=btc"))).not.toBe(other);
  });

  test("have tags of nothing but characters a tag may hold", () => {
    const answers = answersOf();
    const asked = [
      ["/signals", ""],
      ["/signals", "coin=btc&date=2021-01-01"],
      ["/dca", "coin=btc&amount=1e-9&frequency=monthly"],
      ["/strategies", ""],
    ] as const;
    for (const [path, query] of asked) {
      expect(sent(answers, path, query).etag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    }
  });
});
