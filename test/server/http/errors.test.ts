import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errorReplies, retryAfter } from "../../../server/http/reply.ts";
import { type ErrorCode, DomainError, failureOf, STATUS_OF } from "../../../server/http/errors.ts";
import { JOB_ERROR_CODES } from "../../../api/backtest.ts";

const PAGE = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");

describe("docs/errors.md", () => {
  test("has a section for every code, in the order of the table, and for no other", () => {
    const sections = [...PAGE.matchAll(/^## `([a-z_]+)`$/gm)].map(([, code]) => code);
    expect(sections).toEqual(Object.keys(STATUS_OF));
  });

  test("states the status of each", () => {
    for (const [code, status] of Object.entries(STATUS_OF)) {
      const section = PAGE.split(`## \`${code}\`\n`)[1]!.split("\n## ")[0]!;
      expect(section.trim(), `of ${code}`).toMatch(new RegExp(`^Status ${status.slice(0, 3)}\\. `));
    }
  });

  test("explains every code of a backtest that failed, in the order of the list", () => {
    const section = PAGE.split("## Backtests that end in `error`\n")[1]!;
    const codes = [...section.matchAll(/^\| `([a-z_]+)`/gm)].map(([, code]) => code);
    expect(codes).toEqual(JOB_ERROR_CODES);
  });
});

describe("a failure for the caller", () => {
  test("carries no stack, and leaves those of other errors alone", () => {
    const failure = new DomainError("unknown_coin", "no such coin", { cause: "a test" });
    expect(failure.stack).not.toContain("errors.test.ts");
    expect(failure).toMatchObject({ name: "DomainError", code: "unknown_coin", cause: "a test" });
    expect(new Error("a defect").stack).toContain("errors.test.ts");
  });
});

describe("an error reply", () => {
  test("leads to the code's own section", () => {
    const reply = errorReplies("https://api.test")({ code: "unknown_coin", message: "no" });
    expect(reply.status).toBe("400 Bad Request");
    expect(JSON.parse(String(reply.body))).toEqual({
      error: {
        code: "unknown_coin",
        message: "no",
        docs_url: "https://api.test/docs/errors#unknown_coin",
      },
    });
  });

  test("is short, whatever its message quotes", () => {
    const message = `no coin "${"x".repeat(1e6)}"`;
    const { body } = errorReplies("")({ code: "unknown_coin", message });
    const { error } = JSON.parse(String(body)) as { error: { message: string } };
    expect(error.message).toHaveLength(1000);
    expect(error.message).toMatch(/x\.\.\.$/);
  });

  test("challenges on 401 and on nothing else", () => {
    const replyTo = errorReplies("");
    for (const [code, status] of Object.entries(STATUS_OF)) {
      const { headers } = replyTo({ code: code as ErrorCode, message: "" });
      expect(headers.includes("\r\nWWW-Authenticate: Bearer")).toBe(status.startsWith("401"));
    }
  });

  test("asks to wait whole seconds, rounded up, and never none", () => {
    expect([0, 0.2, 1, 1.01, 60].map(retryAfter)).toEqual(
      [1, 1, 1, 2, 60].map((seconds) => `\r\nRetry-After: ${seconds}`),
    );
  });
});

test("only known failures tell what they are", () => {
  expect(failureOf(new DomainError("unknown_coin", "why"))).toEqual({
    code: "unknown_coin",
    message: "why",
  });
  for (const defect of [new Error("secret"), new TypeError("secret"), "secret", undefined]) {
    const failure = failureOf(defect);
    expect(failure.code).toBe("internal_error");
    expect(failure.message).not.toContain("secret");
  }
});
