import { expect, test } from "vitest";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { earlyCsv } from "../support/foresight.ts";
import { faultsIn } from "./no-faults.ts";

describeInBrowser("returns that knew prices too early, on the check page", () => {
  const pages = new PagesOfTests();

  test("are judged once their fills are said to be within the day, and only then", async () => {
    const { page, messages } = await pages.open("/check");
    const file = { name: "early.csv", mimeType: "", buffer: Buffer.from(earlyCsv()) };
    await page.setInputFiles("#check-file", file);
    const sentence = page.locator("article .said").first();
    await sentence.filter({ hasText: /gains come on the very days on which it trades/ }).waitFor();
    expect(await faultsIn(page, "/check-early", [390, "light"], [1440, "dark"])).toEqual([]);
    const box = page.getByLabel("Each fill came after its signal, within the day");
    expect(await box.isChecked()).toBe(false);
    await box.check();
    await sentence.filter({ hasText: /if each fill came after its signal, as you said/ }).waitFor();
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await sentence.filter({ hasText: /gains come on the very days on which it trades/ }).waitFor();
    expect(messages).toEqual([]);
  });
});
