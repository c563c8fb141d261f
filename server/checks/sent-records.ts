import { FileRefused } from "../../check/formats/export.ts";

/** A file and what it was called. */
interface SentRecord {
  readonly bytes: Uint8Array;
  readonly fileName?: string | undefined;
}

interface SentRecords {
  readonly backtest: SentRecord;
  readonly live?: SentRecord | undefined;
}

/** The files of a body: one as it is, or a form with a backtest and what it did live. */
export async function sentRecords(
  body: Uint8Array,
  form: string | undefined,
): Promise<SentRecords> {
  if (form === undefined) return { backtest: { bytes: body } };
  const { formParts } = await import("../http/form-parts.ts"); // native code, which few checks need
  const parts = formParts(body, form);
  if (parts === undefined || parts.length === 0)
    throw new FileRefused('the body is no form with the parts "backtest" and "live"');
  const named = (name: string) => {
    const [part, ...others] = parts.filter((each) => each.name === name);
    if (others.length > 0) throw new FileRefused(`the form has the part "${name}" twice`);
    return part && { bytes: part.data, fileName: part.fileName };
  };
  const other = parts.find(({ name }) => name !== "backtest" && name !== "live");
  if (other !== undefined)
    throw new FileRefused(`the form may have the parts "backtest" and "live", got "${other.name}"`);
  const backtest = named("backtest");
  if (backtest === undefined) throw new FileRefused('the form has no part "backtest"');
  return { backtest, live: named("live") };
}
