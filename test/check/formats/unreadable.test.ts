import { FileRefused } from "../../../files/refused.ts";
import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";

import { readExport } from "../../../check/formats/read-export.ts";
import { csvOf, readText, utf8 } from "./files.ts";

/** A file as text, as bytes in hexadecimal digits, or as the names in a zip; adding a kind is adding one. */
interface Case {
  readonly what: string;
  readonly text?: string;
  readonly hex?: string;
  readonly names?: readonly string[];
  readonly says: string;
}

const URL_OF_CASES = new URL("../cases/kinds/refusals.json", import.meta.url);
const CASES = JSON.parse(readFileSync(URL_OF_CASES, "utf8")) as Case[];

function bytesOf({ text, hex, names }: Case): Uint8Array {
  if (text !== undefined) return utf8(text);
  if (hex !== undefined) return Uint8Array.from(Buffer.from(hex, "hex"));
  return zipSync(Object.fromEntries(names!.map((name) => [name, strToU8(`<${name}/>`)])));
}

test.each(CASES)("$what is refused by name, in a sentence that says what to send", async (each) => {
  const refusal = await readExport(bytesOf(each)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(FileRefused);
  const { message } = refusal as FileRefused;
  expect(message).toContain(each.says);
  expect(message).not.toContain("no known tool");
});

test("a text in UTF-16 is looked at as one in UTF-8", async () => {
  const set = new Uint8Array(Uint16Array.from("\uFEFF[Tester]\n", (c) => c.charCodeAt(0)).buffer);
  await expect(readExport(set)).rejects.toThrow("inputs of MetaTrader's tester");
});

test("a euro sign in Windows-1252 begins no pickle, and a column called import no program", async () => {
  const text = csvOf("import", (row) => String(100 + row));
  const euros = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const bytes = Uint8Array.of(0x80, ...euros); // the first column is "\u20ACimport"
  await expect(readExport(bytes)).rejects.not.toThrow("pickle");
  expect((await readText(text.replace("import", "date,import"))).rows!.names).toEqual(["import"]);
});

test("the format that a sender names goes before a kind of table", async () => {
  const table = csvOf("date,a,cash", (row) => `${100 + row},${50 + row}`);
  await expect(readText(table)).rejects.toThrow("table of positions");
  expect((await readText(table, { format: "equity" })).kind).toBe("equity");
});
