import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rawRequest, readRequests, writeRequests } from "../../../scripts/bench/raw-request.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("requests");

const GET = { path: "/v1/signals?coin=btc", key: "k1" };
const POST = { path: "/v1/overfitting", key: "k2", body: '{"sharpe":1}' };

describe("requests of a load", () => {
  test("are whole requests of HTTP/1.1", () => {
    expect(rawRequest({ ...GET, etag: 'W/"a"' })).toBe(
      'GET /v1/signals?coin=btc HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer k1\r\nIf-None-Match: W/"a"\r\n\r\n',
    );
    expect(rawRequest(POST)).toContain('Content-Length: 12\r\n\r\n{"sharpe":1}');
  });

  test("are read back as they were written", () => {
    const file = writeRequests(join(folder, "requests"), [GET, POST, GET]);
    const texts = readRequests(file).map((bytes) => bytes.toString("latin1"));
    expect(texts).toEqual([GET, POST, GET].map(rawRequest));
  });
});
