import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const IGNORED = readFileSync(".dockerignore", "utf8").trim().split("\n");

test("the image is made of files that are there, and that the build may see", () => {
  const text = readFileSync("deploy/Dockerfile", "utf8");
  const lines = Array.from(
    text.matchAll(/^COPY (?!--from)(.+) \S+$/gm),
    ([, files]) => files ?? "",
  );
  const files = lines.flatMap((line) => line.split(" "));
  expect(files).toContain("package-lock.json");
  for (const file of files) expect(existsSync(file) && !IGNORED.includes(file)).toBe(true);
});

test("the build sees nothing that was built, published or kept here", () => {
  for (const folder of ["node_modules", "dist", ".git", "state", "snapshots/data"]) {
    expect(IGNORED).toContain(folder);
  }
});
