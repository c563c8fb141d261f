import { describe, expect, test } from "vitest";
import { checkEmail, emailIdentity } from "../../accounts/email.ts";

describe("e-mail addresses", () => {
  test.each(["a@b.co", "demo@hindsight.invalid", "First.Last+tag@sub.example.org"])(
    "%s is one",
    (email) => {
      expect(checkEmail(` ${email} `)).toBe(email);
    },
  );

  test.each(["", "a", "a@b", "a b@c.de", "a@b..co", "@b.co", `${"a".repeat(250)}@b.co`])(
    "%j is none",
    (text) => {
      expect(() => checkEmail(text)).toThrow(expect.objectContaining({ code: "bad_email" }));
    },
  );

  test("are the same account whatever their case", () => {
    expect(emailIdentity(" Ann@Example.COM ")).toBe(emailIdentity("ann@example.com"));
  });
});
