import { expect, test } from "vitest";
import { ByteWriter } from "../../../server/http/byte-writer.ts";
import { RequestIds } from "../../../server/http/request-id.ts";
import { HttpRequest } from "../../../server/http/request.ts";

const ids = new RequestIds();

function identified(sent: string): HttpRequest {
  const request = new HttpRequest(ids);
  if (sent !== "") request.addHeader("x-request-id", sent);
  request.identify();
  return request;
}

function written(request: HttpRequest): string {
  const out = new ByteWriter(100);
  request.writeId(out);
  return Buffer.from(out.written).toString("latin1");
}

test("ids of 1 to 64 letters, digits, - and _ are kept", () => {
  for (const sent of ["a", "A-b_9", "x".repeat(64)]) {
    expect(identified(sent).id).toBe(sent);
    expect(written(identified(sent))).toBe(sent);
  }
});

test("anything else is replaced by a new id of our own each time", () => {
  const sent = ["", "x".repeat(65), "a b", "a\r\nSet-Cookie: x", "ä", "a,b", 'a"'];
  const made = sent.map(identified);
  for (const request of made) expect(request.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(new Set(made.map(({ id }) => id)).size).toBe(sent.length);
});

test("an id reads as it was written, however many there were before", () => {
  for (let count = 0; count < 5000; count++) {
    const request = identified("");
    expect(written(request)).toBe(request.id);
  }
});
