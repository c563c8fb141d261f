import { describe, expect, test } from "vitest";
import { AnswerSplitter } from "../../../scripts/bench/answer-splitter.ts";

const OK = "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 5\r\n\r\nhello";
const UNCHANGED = 'HTTP/1.1 304 Not Modified\r\nETag: W/"x"\r\n\r\n';
const LIMITED = "HTTP/1.1 429 Too Many Requests\r\ncontent-length:0\r\n\r\n";

function statusesOf(text: string, chunkLength: number): number[] {
  const statuses: number[] = [];
  const splitter = new AnswerSplitter((status) => statuses.push(status));
  for (let at = 0; at < text.length; at += chunkLength) {
    splitter.add(Buffer.from(text.slice(at, at + chunkLength)));
  }
  return statuses;
}

describe("AnswerSplitter", () => {
  test.each([1, 2, 7, 50, 1_000])("finds every answer in pieces of %d bytes", (length) => {
    expect(statusesOf(OK + UNCHANGED + LIMITED + OK, length)).toEqual([200, 304, 429, 200]);
  });

  test("waits for the last byte of a body", () => {
    expect(statusesOf(OK.slice(0, -1), 1_000)).toEqual([]);
  });

  test("takes no head for whole before its empty line", () => {
    expect(statusesOf(UNCHANGED.slice(0, -1), 1_000)).toEqual([]);
  });
});
