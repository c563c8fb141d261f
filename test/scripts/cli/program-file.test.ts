import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { programFile } from "../../../scripts/cli/program-file.ts";

let dist = "";

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), "hindsight-dist-"));
  mkdirSync(join(dist, "bundle"));
});

afterEach(() => rmSync(dist, { recursive: true }));

function write(name: string, seconds: number): void {
  writeFileSync(join(dist, name), "");
  utimesSync(join(dist, name), seconds, seconds);
}

function found(): string {
  const { href } = pathToFileURL(dist);
  return programFile(`${href}/scripts/hindsight.js`).slice(href.length + 1);
}

describe("programFile", () => {
  test("is the bundle where it is younger than what was compiled", () => {
    write(".tsbuildinfo", 1000);
    write("bundle/program.js", 1001);
    expect(found()).toBe("bundle/program.js");
  });

  test("is the modules where they were compiled later", () => {
    write(".tsbuildinfo", 1001);
    write("bundle/program.js", 1000);
    expect(found()).toBe("scripts/cli/program.js");
  });

  test("is the modules where nothing was bundled", () => {
    write(".tsbuildinfo", 1000);
    expect(found()).toBe("scripts/cli/program.js");
  });

  test("is the bundle where only that was kept, or times were cut to seconds", () => {
    write("bundle/program.js", 1000);
    expect(found()).toBe("bundle/program.js");
    write(".tsbuildinfo", 1000);
    expect(found()).toBe("bundle/program.js");
  });
});
