import { describe, expect, test } from "vitest";
import { CorsPolicy } from "../../../server/http/cors.ts";

describe("the CORS policy", () => {
  test("says nothing where no origin is configured", () => {
    const policy = new CorsPolicy([]);
    expect(policy.lines("https://app.example")).toBe("");
    expect(policy.preflightLines("https://app.example", "GET")).toBe("");
  });

  test("lets configured origins read, and no other", () => {
    const policy = new CorsPolicy(["https://app.example"]);
    expect(policy.lines("https://app.example")).toContain(
      "\r\nAccess-Control-Allow-Origin: https://app.example\r\n",
    );
    for (const other of ["https://evil.example", "https://app.example.evil", "null", ""]) {
      expect(policy.lines(other), `of ${other}`).toBe("\r\nVary: Origin");
      expect(policy.preflightLines(other, "GET")).toBe("");
    }
  });

  test("lets pages send every header that the API reads", () => {
    const lines = new CorsPolicy(["*"]).preflightLines("https://app.example", "POST");
    const allowed = /Access-Control-Allow-Headers: (.*)\r\n/.exec(lines)?.[1]?.split(", ");
    expect(allowed).toEqual([
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-None-Match",
      "If-Range",
      "Range",
      "X-Request-Id",
    ]);
  });

  test("lets pages read every header that answers carry for them", () => {
    const lines = new CorsPolicy(["*"]).lines("https://app.example");
    const exposed = /Access-Control-Expose-Headers: (.*)$/.exec(lines)?.[1]?.split(", ");
    expect(exposed).toEqual([
      "Accept-Ranges",
      "Content-Disposition",
      "Content-Range",
      "ETag",
      "Link",
      "RateLimit",
      "RateLimit-Policy",
      "Repr-Digest",
      "Retry-After",
      "Synthetic",
      "X-Request-Id",
    ]);
  });

  test("with * lets any origin read, but echoes only what is one", () => {
    const policy = new CorsPolicy(["*"]);
    for (const origin of ["http://localhost:3000", "http://a_b:80", "http://[::1]:80", "null"]) {
      expect(policy.lines(origin)).toContain(`Allow-Origin: ${origin}\r\n`);
    }
    expect(policy.lines("")).toBe("\r\nVary: Origin");
    expect(policy.lines("http://a\u0000b")).toBe("\r\nVary: Origin");
    expect(policy.lines("x\r\nSet-Cookie: a=b")).toBe("\r\nVary: Origin");
  });
});
