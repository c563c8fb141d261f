import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../server/pages/markdown.ts";

const rendered = (text: string) => renderMarkdown(text, (name, id) => `/to/${name}/${id}`);

describe("markdown", () => {
  test("headings can be linked to", () => {
    const html = rendered("## `unknown_coin`\n\n## GET /buy-hold\n");
    const ids = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["unknown_coin", "get-buy-hold"]);
  });

  test("links between pages lead to served pages; links to the source are text", () => {
    const html = rendered(
      "[a](errors.md#x) [b](../README.md) [c](https://x.test) [d](#y) [e](run.md)",
    );
    expect(html).toContain('<a href="/to/errors/x">a</a>');
    expect(html).toContain(' b <a href="https://x.test">');
    expect(html).toContain('<a href="/to//y">d</a>');
    expect(html).toContain('<a href="/to/run/">e</a>');
    expect(rendered("[f](cells-2.csv)")).toContain('<a href="/docs/cells-2.csv">f</a>');
  });

  test("what scrolls by itself can be scrolled with the keyboard", () => {
    const html = rendered("```sh\na < b\n```\n\n| x | y |\n| - | - |\n| 1 | 2 |\n");
    expect(html).toContain('<pre tabindex="0"><code>a &lt; b\n</code></pre>');
    expect(html).toContain('<div class="scroll" tabindex="0"><table>');
  });

  test("pictures come from the folder of the documentation, wherever the page is", () => {
    expect(rendered('![a "b" < c](pictures/x.svg)')).toContain(
      '<img src="/docs/pictures/x.svg" alt="a &quot;b&quot; &lt; c" loading="lazy">',
    );
  });

  test("a column without a title has no empty heading", () => {
    const html = rendered("|   | y |\n| - | - |\n| 1 | 2 |\n");
    expect(html).toContain('<thead><tr><td></td><th scope="col">y</th></tr></thead>');
  });

  test("text is escaped", () => {
    expect(rendered("`<b>` & a < b")).toContain(
      '<code class="unbroken">&lt;b&gt;</code> &amp; a &lt; b',
    );
  });
});
