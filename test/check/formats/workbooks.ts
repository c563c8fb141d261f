import { strToU8, zipSync } from "fflate";

/** The XML of a workbook's parts, for files as different programs write them. */
export interface WorkbookParts {
  readonly workbook?: string;
  readonly relations?: string;
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
}

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** A sheet of rows of cells that are written out. */
export function sheetOf(rows: readonly string[], after = ""): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}"><sheetData>${rows.join("")}</sheetData>${after}</worksheet>`;
}

/** Rows without references: of numbers and of texts in place. */
export function plainRows(rows: readonly (readonly (number | string)[])[]): string[] {
  return rows.map((cells) => {
    const texts = cells.map((cell) => {
      if (cell === "") return "<c/>";
      return typeof cell === "number"
        ? `<c><v>${cell}</v></c>`
        : `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
    });
    return `<row>${texts.join("")}</row>`;
  });
}

/** A workbook as a zip; without more said, its sheets are visible and in order. */
export function workbookOf(parts: WorkbookParts): Uint8Array {
  const names = Object.keys(parts.sheets);
  const listed = names.map(
    (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const related = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const files: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml":
      parts.workbook ??
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      parts.relations ?? `<Relationships>${related.join("")}</Relationships>`,
    ...Object.fromEntries(
      Object.values(parts.sheets).map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml]),
    ),
  };
  if (parts.strings !== undefined) files["xl/sharedStrings.xml"] = parts.strings;
  if (parts.styles !== undefined) files["xl/styles.xml"] = parts.styles;
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])),
  );
}
