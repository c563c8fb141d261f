import { basename } from "node:path";
import { expect, test } from "vitest";
import { checkFile } from "../../../../check/check-file.ts";
import { askedText } from "../../../../check/choices.ts";
import { MoreNeeded } from "../../../../check/formats/export.ts";
import { CheckReport } from "../../../../api/check-report.ts";
import { reportJson } from "../../../../api/report-json.ts";
import { snakeCase } from "../../../../quant/letter-case.ts";
import { checkRunner } from "../../../../server/checks/run-check.ts";
import { snapshotMarket } from "../../../../server/checks/snapshot-market.ts";
import { findCurrent } from "../../../../snapshots/folder.ts";
import { exportFiles } from "../../../support/exports.ts";
import { publishDemo } from "../../../support/publish-demo.ts";
import { schemaFaults } from "../../../support/server-schema.ts";
import { sharedServer } from "../../../support/server-fixture.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const FILES = exportFiles();

// The process of a check reads the market from files, so it needs a snapshot that was published.
const snapshots = temporaryFolder("check-exports");
await publishDemo(snapshots, "2024-06-01", "2024-06-02T00:10:00Z");
const published = (await findCurrent(snapshots))!; // just now
const snapshotId = basename(published);
const runner = checkRunner({ snapshots });
const { server, key } = await sharedServer({
  runCheck: (task, signal) => runner({ ...task, snapshotId }, signal),
});
const market = await snapshotMarket(published);

interface Answered {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  readonly report?: object;
}

async function overHttp(bytes: Buffer<ArrayBuffer>, query: string): Promise<Answered> {
  const response = await fetch(`${server.origin}/v1/check${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: bytes,
  });
  const { status } = response;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  const body = (await response.json()) as any;
  expect(schemaFaults("/check", status, body, "post")).toEqual([]);
  if (status !== 200) return { status, code: body.error.code, message: body.error.message };
  const { attribution, ...report } = body.data;
  expect(attribution.license).toBe("CC BY 4.0");
  return { status, report };
}

/** The same from the function that the command calls. */
async function asCommand(bytes: Uint8Array, options: Parameters<typeof checkFile>[1]) {
  try {
    const { report } = await checkFile(bytes, options, { marketFor: async () => market });
    return {
      status: 200,
      report: JSON.parse(reportJson(CheckReport.from(report), false)) as object,
    };
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof MoreNeeded)) return { status: 400, code: "file_refused", message };
    const asked = askedText(error.questions, (option, value) =>
      value === undefined ? `parameter "${snakeCase(option)}"` : `"${snakeCase(option)}=${value}"`,
    );
    return { status: 400, code: "more_needed", message: asked };
  }
}

test.each(FILES)("$name is answered as the command answers it", async ({ bytes }) => {
  const [answered, expected] = await Promise.all([
    overHttp(bytes, "?n_trials=7"),
    asCommand(bytes, { nTrials: 7 }),
  ]);
  expect(answered).toEqual(expected);
});

test("a clone without the exports has nothing to compare", () => {
  expect(FILES.length === 0 || FILES.length > 50).toBe(true);
});
