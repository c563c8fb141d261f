import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ColumnPreview, Question } from "../../check/formats/export.ts";
import { MADE_UP_QUESTIONS, MADE_UP_TABLE, OTHER_QUESTIONS } from "../support/asked-questions.ts";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { pictureOf, faultsIn, type Look } from "./no-faults.ts";

const ASKED = "#check-question";
const FILE = { name: "my bot's log.csv", mimeType: "", buffer: Buffer.from("x") };

/**
 * In place of the thread that checks: asks the first round whose first question has no answer, and refuses in the end,
 * with all that it was told. So the page can be tried with questions that no file of the tests leads to.
 */
function askingThread(
  rounds: readonly (readonly Question[])[],
  columns: readonly ColumnPreview[],
): string {
  const table = { ...MADE_UP_TABLE, columns };
  const news = rounds.map((questions) => ({ kind: "asked", questions, table }));
  return `const rounds = ${JSON.stringify(news)};
addEventListener("message", ({ data: { options } }) => postMessage(
  rounds.find(({ questions }) => options[questions[0].option] === undefined) ??
  { kind: "refused", message: JSON.stringify(options) }));`;
}

const SEEN = [
  [390, "light"],
  [390, "dark"],
  [768, "light"],
  [1440, "light"],
  [1440, "dark"],
] as const;
describeInBrowser("the questions of the check page, in a browser", () => {
  const pages = new PagesOfTests();

  async function asked(rounds: (readonly Question[])[], columns = MADE_UP_TABLE.columns) {
    const { page, messages } = await pages.open("/check");
    const body = askingThread(rounds, columns);
    await page.route("**/assets/check-worker-*.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body }),
    );
    await page.setInputFiles("#check-file", FILE);
    await page.waitForSelector(ASKED);
    return { page, messages };
  }

  const choose = (page: Page, text: string) =>
    page.locator(".pick", { hasText: text }).first().click();
  const send = (page: Page) => page.getByRole("button", { name: "Check it" }).click();
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

  /** What the thread was told in the end. */
  async function told(page: Page): Promise<object> {
    const text = await page.locator(".failed p").first().textContent();
    const options = JSON.parse(
      text!.slice(text!.indexOf("{"), text!.lastIndexOf("}") + 1),
    ) as object;
    return { ...options, fileName: undefined }; // is told beside what was answered
  }

  /** What is wrong with the questions in each look, and which of their texts are cut. */
  async function faultsAsked(page: Page, name: string, ...looks: Look[]) {
    const faults: string[] = [];
    for (const look of looks)
      faults.push(
        ...(await faultsIn(page, `/check-${name}`, look)),
        ...((await page.evaluate(CUT)) as string[]).map((cut) => `${look[0]} px, cut: ${cut}`),
      );
    return faults;
  }

  test("every kind of question is free of faults", async () => {
    const { page, messages } = await asked([MADE_UP_QUESTIONS]);
    expect(await page.locator(ASKED).textContent()).toBe("Four questions, then the answer");
    expect(await focused(page)).toBe("check-question");
    expect(await faultsAsked(page, "asked", ...SEEN)).toEqual([]);
    expect(messages).toEqual([]);
  });

  test("and is so sent too early, with all open", async () => {
    const { page, messages } = await asked([MADE_UP_QUESTIONS]);
    await send(page);
    for (const summary of await page.locator("summary:visible").all()) await summary.click();
    expect(await faultsAsked(page, "asked-early", ...SEEN)).toEqual([]);
    expect(messages).toEqual([]);
  });

  test("the other kinds, too, and each tells the thread what was chosen", async () => {
    const { page, messages } = await asked([OTHER_QUESTIONS]);
    expect(await faultsAsked(page, "asked-other", ...SEEN)).toEqual([]);
    await choose(page, "Percent");
    await choose(page, "spy");
    await choose(page, "every column is a variant");
    await choose(page, "costs, already");
    await choose(page, "an indicator");
    await choose(page, "Yes, the whole account");
    await page.getByLabel("Format").selectOption("jesse");
    await page.locator("#asked-startingCapital-0").fill("-3");
    await send(page);
    expect(await page.locator(".faults li").allTextContents()).toHaveLength(1);
    expect(await page.locator(".fault").textContent()).toBe("Enter an amount above 0.");
    await page.locator("#asked-startingCapital-0").fill("2500");
    await page.keyboard.press("Enter");
    expect(await told(page)).toEqual({
      unit: "percent",
      benchmark: "spy",
      leaveOut: ["fees", "rsi_14"],
      allIn: true,
      format: "jesse",
      startingCapital: 2500,
    });
    expect(messages).toEqual([]);
  });

  test("names of any length and columns without numbers neither cut nor widen it", async () => {
    const long = "Total_Net_Liquidation_Value_After_Fees".repeat(6);
    const [first, ...rest] = MADE_UP_TABLE.columns;
    const columns = [
      first!,
      ...Array.from({ length: 40 }, (_, at) => {
        const ends = { first: "1".repeat(5 + 2 * at), last: "-0.00000000000000000001" };
        return {
          ...rest[at % rest.length]!,
          ...ends,
          name: `${long}${at}`,
          line: at % 2 ? [1, 1] : [],
        };
      }),
    ];
    const choices = columns.slice(1, 6).map(({ name }) => ({ value: name, text: "" }));
    const [column, , flows] = MADE_UP_QUESTIONS;
    const { page } = await asked(
      [
        [
          { ...column!, text: `is it "${long}" or "a "b" c"?`, choices },
          { ...flows!, onlyFor: [columns[2]!.name] },
          { ...flows!, option: "timezone", onlyFor: [columns[1]!.name] },
        ],
      ],
      columns,
    );
    expect(await faultsAsked(page, "asked-long", [390, "light"], [1440, "light"])).toEqual([]);
  });

  test("docs/check.md shows them as the page does", async () => {
    const { page } = await asked([MADE_UP_QUESTIONS], MADE_UP_TABLE.columns.slice(0, -1));
    await page.setViewportSize({ width: 680, height: 900 });
    for (const [option, name] of PICTURES) {
      const picture = await pictureOf(page, `#asked-${option}`, name, "check.md");
      expect(picture.kept, `HINDSIGHT_GOLDEN=write rewrites ${picture.path}`).toBe(picture.drawn);
      expect(picture.bytes).toBeLessThan(24_000);
      expect(picture.isShown).toBe(true);
    }
  });

  test("sent too early, a list leads to what is open", async () => {
    const { page } = await asked([MADE_UP_QUESTIONS]);
    await choose(page, "strategy_growth");
    await send(page);
    expect(await page.locator(".faults h3").textContent()).toBe("One question is still open");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("faults");
    await page.getByRole("link", { name: /Which day is/ }).click();
    expect(await focused(page)).toBe("asked-dates-0");
    const group = page.getByRole("group", { name: /Which day is 01\/03\/2023 in line 2/ });
    expect(await group.evaluate((each) => each.getAttribute("aria-describedby"))).toBe(
      "asked-dates-why",
    );
    expect(await page.locator("#asked-dates-why").textContent()).toContain(
      "Choose one of the two.",
    );
    await page.keyboard.press("Space");
    expect(await page.locator(".fault").count()).toBe(0);
    await page.keyboard.press("Enter");
    expect(await told(page)).toEqual({ column: "strategy_growth", dates: "day-first" });
  });

  test("what another answer makes needless is folded, said, and not sent", async () => {
    const { page } = await asked([MADE_UP_QUESTIONS]);
    await choose(page, "Yes, I paid money in");
    await choose(page, "10,000");
    await choose(page, "3 January 2023");
    await choose(page, "account_total");
    expect(await page.locator(".needless legend").allTextContents()).toEqual([
      "4How much did the account begin with?",
    ]);
    expect(await page.locator("[aria-live]", { hasText: "Not needed now: 4." }).count()).toBe(1);
    await choose(page, "total_pnl");
    expect(await page.locator(".needless").count()).toBe(1);
    expect(await page.locator("#asked-flows input").count()).toBe(0);
    await page.getByLabel("Another amount").fill("100001");
    expect(await page.locator("#asked-startingCapital :checked").count()).toBe(0);
    expect(await page.locator(".asked pre").textContent()).toBe(
      String.raw`hindsight check 'my bot'\''s log.csv' \
  --starting-capital 100001 \
  --column total_pnl \
  --dates month-first`,
    );
    await send(page);
    const expected = { column: "total_pnl", dates: "month-first", startingCapital: 100_001 };
    expect(await told(page)).toEqual(expected);
  });

  test("a column that was left out moves up by the keyboard, and is chosen there", async () => {
    const { page } = await asked([MADE_UP_QUESTIONS.slice(0, 1)]);
    expect(await page.getByRole("button", { name: /the day/ }).count()).toBe(0);
    await page.getByRole("button", { name: /^fees costs/ }).focus();
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("asked-column-3");
    expect(await page.locator(".pick :checked").getAttribute("value")).toBe("fees");
    await page.keyboard.press("ArrowUp");
    expect(await page.locator(".pick :checked").getAttribute("value")).toBe("total_pnl");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await told(page)).toEqual({ column: "fees" });
  });

  test("what was answered stays while more is asked, and is forgotten with the next file", async () => {
    const { page } = await asked([MADE_UP_QUESTIONS.slice(0, 1), OTHER_QUESTIONS.slice(0, 1)]);
    await choose(page, "strategy_growth");
    await send(page);
    await page.getByText("In which unit").waitFor();
    expect(await page.locator(".asked pre").textContent()).toContain("--column strategy_growth");
    await choose(page, "Fractions");
    await send(page);
    expect(await told(page)).toEqual({ column: "strategy_growth", unit: "fraction" });
    await page.setInputFiles("#check-file", FILE);
    await page.getByText("Which column").waitFor();
    await choose(page, "account_total");
    await page.setInputFiles("#check-file", { ...FILE, name: "next.csv" });
    await page.locator(".chosen", { hasText: "next.csv" }).waitFor();
    await page.locator(ASKED).waitFor();
    expect(await page.locator(".pick :checked").count()).toBe(0);
  });
});

/** The questions that docs/check.md shows, and the file of each picture. */
const PICTURES = [
  ["column", "which-column"],
  ["dates", "which-day"],
  ["flows", "money-paid-in"],
] as const;

/** Texts that are wider than their boxes. */
const CUT = `[...document.querySelectorAll(".asked *")]
  .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1 && !each.closest("svg,.unseen"))
  .map((each) => each.outerHTML.slice(0, 80))`;
