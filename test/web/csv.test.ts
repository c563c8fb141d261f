import { expect, test } from "vitest";
import { csvOf } from "../../web/csv.ts";

test("rows are RFC 4180 text with a header, members of members have columns of their own", () => {
  const rows = [
    { month: "2025-01", value: 1.5, parts: { pbo: 0.5 }, note: 'say "so", twice' },
    { month: "2025-02", value: null, parts: { pbo: 0.25 }, note: "plain" },
  ];
  expect(csvOf(rows)).toBe(
    'month,value,parts.pbo,note\r\n2025-01,1.5,0.5,"say ""so"", twice"\r\n2025-02,,0.25,plain\r\n',
  );
});
