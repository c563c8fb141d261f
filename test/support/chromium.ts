import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { openPage, type SeenPage } from "./seen-page.ts";
import { ServerFixture, type FixtureOptions } from "./server-fixture.ts";

/**
 * Pages are tested in Debian's Chromium, in its headless shell if it is there: the same engine without windows, in
 * three fifths of the time. Without a browser these tests are skipped with a notice, unless
 * HINDSIGHT_REQUIRE_CHROMIUM=1, as in CI.
 */
const SHELL = "/usr/bin/chromium-headless-shell";
const PATHS = [SHELL, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const EXECUTABLE = PATHS.find((path) => existsSync(path)) ?? SHELL;
const isHere = existsSync(EXECUTABLE) || process.env["HINDSIGHT_REQUIRE_CHROMIUM"] === "1";

if (!isHere) {
  process.stderr.write("tests in a browser are skipped: this machine has no chromium\n");
}

export const describeInBrowser = isHere ? describe : describe.skip;

/** One browser and one server for all tests of a `describe`. Pages are closed after each test. */
export class PagesOfTests {
  browser!: Browser;
  server!: ServerFixture;

  constructor(options: FixtureOptions = {}) {
    beforeAll(async () => {
      this.browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
      this.server = await ServerFixture.start(options);
    });
    afterEach(() => Promise.all(this.browser.contexts().map((context) => context.close())));
    afterAll(() => Promise.all([this.browser.close(), this.server.close()]));
  }

  open(path: string): Promise<SeenPage> {
    return openPage(this.browser, this.server.origin, path);
  }
}
