import { describe, expect, test } from "vitest";
import { AnswerSplitter } from "../../../scripts/bench/answer-splitter.ts";

const OK = "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 5\r\n\r\nhello";
const UNCHANGED = 'HTTP/1.1 304 Not Modified\r\nETag: W/"x"\r\n\r\n';
const LIMITED = "HTTP/1.1 429 Too Many Requests\r\ncontent-length:0\r\n\r\n";

function answersIn(text: string, chunkLength: number): [status: number, body: string][] {
  const answers: [number, string][] = [];
  const splitter = new AnswerSplitter((status, body) => answers.push([status, String(body)]));
  for (let at = 0; at < text.length; at += chunkLength) {
    splitter.add(Buffer.from(text.slice(at, at + chunkLength)));
  }
  return answers;
}

describe("AnswerSplitter", () => {
  test.each([1, 2, 7, 50, 1_000])("finds every answer in pieces of %d bytes", (length) => {
    expect(answersIn(OK + UNCHANGED + LIMITED + OK, length)).toEqual([
      [200, "hello"],
      [304, ""],
      [429, ""],
      [200, "hello"],
    ]);
  });

  test("waits for the last byte of a body", () => {
    expect(answersIn(OK.slice(0, -1), 1_000)).toEqual([]);
  });

  test("takes no head for whole before its empty line", () => {
    expect(answersIn(UNCHANGED.slice(0, -1), 1_000)).toEqual([]);
  });
});
