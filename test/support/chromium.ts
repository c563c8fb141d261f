import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";

/**
 * Tests of pages in a real browser use Debian's Chromium. A newcomer's `make test` must not fail without one: these tests
 * are then skipped, with a notice. CI sets HINDSIGHT_REQUIRE_CHROMIUM=1, which makes them always run.
 */
const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = PATHS.find((path) => existsSync(path)) ?? PATHS[0]!; // it has three
const isHere = existsSync(executablePath) || process.env["HINDSIGHT_REQUIRE_CHROMIUM"] === "1";

if (!isHere) {
  process.stderr.write("tests in a browser are skipped: this machine has no chromium\n");
}

export const describeInBrowser = isHere ? describe : describe.skip;

/** One browser for all tests of a `describe`. */
export function browserOfTests(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());
  return () => browser;
}
