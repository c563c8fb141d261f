import { FileRefused } from "./refused.ts";
import { decoded } from "./markup.ts";

/** A tag of XML, without the prefix of its namespace. */
export interface Tag {
  /** `row`, and `/row` at its end. An empty element gives both. */
  readonly name: string;
  readonly attribute: (name: string) => string | undefined;
  /** The text between this tag and the one before. */
  readonly text: string;
}

const TAG = /<([/?]?)(?:[\w.-]+:)?([\w.-]+)([^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*)>/y;

/** Calls `see` with every tag in order. It builds no tree and expands no entity of the file's own, so it needs little memory. */
export function eachTag(xml: string, see: (tag: Tag) => void): void {
  for (let at = 0; at < xml.length;) {
    const open = xml.indexOf("<", at);
    if (open < 0) return;
    TAG.lastIndex = open;
    const match = TAG.exec(xml);
    if (match === null)
      throw new FileRefused(
        "the workbook is damaged or unusual: open it in Excel and save it anew",
      );
    const [, slash, name, attributes] = match as unknown as [string, string, string, string]; // each group matched
    const attribute = (wanted: string) => attributeOf(attributes, wanted);
    see({ name: slash + name, attribute, text: decoded(xml.slice(at, open)) });
    if (attributes.endsWith("/")) see({ name: `/${name}`, attribute, text: "" });
    at = TAG.lastIndex;
  }
}

const PATTERNS = new Map<string, RegExp>();

function attributeOf(attributes: string, name: string): string | undefined {
  const pattern =
    PATTERNS.get(name) ?? new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  PATTERNS.set(name, pattern);
  const match = pattern.exec(attributes);
  return match === null ? undefined : decoded(match[1] ?? match[2]!); // one of them matched
}
