import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Attribution } from "../../api/attribution.ts";
import { HoldingYear } from "../../api/buy-hold.ts";
import { History } from "../../api/history.ts";
import type { AnyRecord, Type } from "../../api/record.ts";
import { itemOf } from "../../api/table.ts";
import { Snapshots } from "../../api/snapshots.ts";
import { Usage } from "../../api/usage.ts";

/** The records whose members docs/api.md lists. */
const RECORDS: Readonly<Record<string, AnyRecord>> = {
  Attribution,
  History,
  HoldingYear,
  Snapshots,
  Usage,
};
const DOC = fileURLToPath(new URL("../../docs/api.md", import.meta.url));
/** What stands between two marks is written by `make golden`. */
const LISTED = /(<!-- members of (\w+): written by `make golden` -->\n).*?(?=\n<!-- end -->)/gs;

/** Members of a record within, by name. */
function inside(type: Type): string {
  const item = itemOf(type);
  if (item.kind !== "record") return "";
  return Object.keys(item.record.members)
    .map((name) => `\`${name}\``)
    .join(", ");
}

function tableOf({ members }: AnyRecord): string {
  const rows = Object.entries(members).map(([name, { type, description }]) => {
    const words = [description, inside(type)].filter((part) => part !== "").join(": ");
    return `| \`${name}\` | ${words} |`;
  });
  return ["| member | meaning |", "| --- | --- |", ...rows].join("\n");
}

/** Removes padding: a formatter aligns the columns of a table. */
const unpadded = (text: string) => text.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ");

test("docs/api.md lists the members of its records, as they are defined", () => {
  const text = readFileSync(DOC, "utf8");
  const named = [...text.matchAll(LISTED)].map(([, , name]) => name);
  expect(new Set(named)).toEqual(new Set(Object.keys(RECORDS)));
  const written = text.replace(LISTED, (_, mark: string, name: string) => {
    return `${mark}\n${tableOf(RECORDS[name]!)}\n`;
  });
  if (process.env["HINDSIGHT_GOLDEN"] === "write") writeFileSync(DOC, written);
  expect(unpadded(readFileSync(DOC, "utf8"))).toBe(unpadded(written));
});

test("every member that is listed says what it is", () => {
  for (const [record, { members }] of Object.entries(RECORDS)) {
    const silent = Object.entries(members).filter(
      ([name, { type, description }]) =>
        description === "" && inside(type) === "" && name !== "attribution",
    );
    expect({ record, silent: silent.map(([name]) => name) }).toEqual({ record, silent: [] });
  }
});
