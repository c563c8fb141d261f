import { crc32, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressedAside } from "../../../server/requests/kept-answer.ts";
import { KeptAnswers } from "../../../server/requests/kept-answers.ts";
import { SharedBeginning } from "../../../server/http/shared-beginning.ts";

const KIB = 1024;

const partsOf = (etag: string, bytes: number) => ({
  etag,
  headers: Buffer.from(`\r\nETag: ${etag}\r\nVary: Accept-Encoding`),
  beginning: undefined,
  rest: Buffer.alloc(bytes, etag),
});

/** Keeps an answer of 10 KiB under its number. */
const keep = (answers: KeptAnswers, number: number) =>
  answers.keep(`flood ${number}`, partsOf(`"${number}"`, 10 * KIB));

describe("kept answers", () => {
  test("stay while they are asked for again and again, within the limit", () => {
    const answers = new KeptAnswers(200 * KIB);
    answers.keep("kept", partsOf('"kept"', KIB));
    for (let number = 0; number < 1000; number++) {
      keep(answers, number);
      expect(answers.find("kept")?.rest.equals(Buffer.alloc(KIB, '"kept"'))).toBe(true);
    }
    const held = Array.from({ length: 1000 }, (_, number) => answers.find(`flood ${number}`));
    expect(held.filter((answer) => answer !== undefined).length).toBeLessThanOrEqual(19);
    expect(held.at(-1)?.etag).toBe('"999"');
  });

  test("are forgotten when nobody asks for them, and one beyond the limit is held alone", () => {
    const answers = new KeptAnswers(100 * KIB);
    answers.keep("first", partsOf('"first"', KIB));
    for (let number = 0; number < 20; number++) keep(answers, number);
    expect(answers.find("first")).toBeUndefined();
    answers.keep("large", partsOf('"large"', 1000 * KIB));
    expect(answers.find("large")?.beginningBytes).toBe(1000 * KIB);
  });

  test("are held once, however they are asked for, even when they move to a newer shelf", () => {
    const answers = new KeptAnswers(100 * KIB);
    const { place } = answers.keep("a=1&b=2", partsOf('"ab"', KIB));
    expect(answers.findTagged('"ab"', "b=2&a=1")?.place).toBe(place);
    expect(answers.keep("a=%31&b=2", partsOf('"ab"', KIB)).place).toBe(place);
    expect(answers.find("b=2&a=1")?.place).toBe(place);
    expect(answers.findTagged('"ba"', "b=1&a=2")).toBeUndefined();
    for (let number = 0; number < 4; number++) keep(answers, number);
    const [first, second] = ["b=2&a=1", "a=1&b=2"].map((query) => answers.find(query));
    expect(second?.place).toBe(first!.place);
    expect(first?.rest).toEqual(Buffer.alloc(KIB, '"ab"'));
  });

  test("are found by new names without end, which are forgotten too", () => {
    const answers = new KeptAnswers(100 * KIB);
    answers.keep("first", partsOf('"same"', KIB));
    for (let number = 0; number < 10_000; number++) {
      expect(answers.findTagged('"same"', `name ${number}`)?.beginningBytes).toBe(KIB);
    }
    const found = Array.from({ length: 10_000 }, (_, number) => answers.find(`name ${number}`));
    expect(found.filter((answer) => answer !== undefined).length).toBeLessThan(5000);
    expect(found.at(-1)?.etag).toBe('"same"');
  });

  test.each([
    ["alone", undefined],
    ["behind a beginning that others share", new SharedBeginning(Buffer.from('{"data":['))],
  ])("that were compressed on another thread are read back, %s", async (_, beginning) => {
    const answers = new KeptAnswers(100 * KIB);
    const parts = { ...partsOf('"aside"', KIB), beginning };
    const crc = crc32(parts.rest, crc32(beginning?.bytes ?? ""));
    const kept = answers.keep("aside", { ...parts, compressed: await compressedAside(parts, crc) });
    const plain = kept.plain("1}").toString();
    expect(plain).toBe(`${String(beginning?.bytes ?? "")}${String(parts.rest)}1}`);
    expect(gunzipSync(kept.gzip("1}")).toString()).toBe(plain);
  });

  test("may be sent when they were forgotten meanwhile", () => {
    const answers = new KeptAnswers(100 * KIB);
    const held = answers.keep("first", partsOf('"first"', KIB));
    for (let number = 0; number < 50; number++) keep(answers, number);
    expect(held.plain("1}")).toEqual(
      Buffer.concat([Buffer.alloc(KIB, '"first"'), Buffer.from("1}")]),
    );
  });
});
