/** A heading that links can lead to. */
export interface Heading {
  readonly id: string;
  /** Without marks of code. */
  readonly title: string;
}

/** A heading of the second level, with the text that follows it. */
export interface Section extends Heading {
  /** The heading as Markdown. */
  readonly heading: string;
  /** Markdown, without the heading itself. */
  readonly text: string;
  readonly headings: readonly Heading[];
}

/** A file of `docs/`, divided at its headings of the second level. */
export interface DocText {
  readonly title: string;
  /** The text before the first section, without the title. */
  readonly intro: string;
  readonly sections: readonly Section[];
}

const HEADING = /^(#{1,3}) (.+)$/;

/** Divides a file at its headings. It looks only at lines, so that a start need not load the Markdown library. */
export function docTextOf(text: string): DocText {
  let title = "";
  let isCode = false;
  const intro: string[] = [];
  const sections: { title: string; lines: string[]; headings: Heading[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, marks = "", words = ""] = isCode ? [] : (HEADING.exec(line) ?? []);
    const section = sections.at(-1);
    if (marks === "#") title = plain(words);
    else if (marks === "##") sections.push({ title: words, lines: [], headings: [] });
    else (section?.lines ?? intro).push(line);
    if (marks === "###") section?.headings.push(headingOf(words));
  }
  return {
    title,
    intro: intro.join("\n"),
    sections: sections.map(({ title: words, lines, headings }) => ({
      ...headingOf(words),
      heading: words,
      text: lines.join("\n"),
      headings,
    })),
  };
}

function headingOf(words: string): Heading {
  return { id: slugOf(words), title: plain(words) };
}

function plain(words: string): string {
  return words.replaceAll("`", "");
}

/** The id of a heading: its words in lower case, joined by dashes. Error codes keep their underscores. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, "")
    .trim()
    .replace(/ +/g, "-");
}
