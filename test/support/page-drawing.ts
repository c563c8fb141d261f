import type { Page } from "playwright-core";
import { CHART_STYLES, TOKENS } from "../../web/styles.ts";

/** Space around what is drawn. */
const MARGIN = 20;

const COLOURS = [...new Set([...TOKENS.matchAll(/--([\w-]+):/g)].map(([, name]) => name!))];

/** A class for every colour, so that a picture has the colours of the scheme of its reader. */
const STYLES = [
  TOKENS,
  CHART_STYLES,
  ...COLOURS.map((name) => `.f-${name}{fill:var(--${name})}.s-${name}{stroke:var(--${name})}`),
  ".none{fill:none}text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
  ".mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}",
].join("\n");

/**
 * Draws an element of a page as SVG, as the browser has laid it out: boxes, lines of text and charts. Unlike a
 * screenshot, the picture is small, sharp and in both colour schemes. A line of text keeps its length whatever the
 * font.
 */
export async function drawingOf(page: Page, selector: string): Promise<string> {
  const { width, height, parts } = (await page.evaluate(
    `(${DRAW})(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(COLOURS)})`,
  )) as { width: number; height: number; parts: readonly string[] };
  const size = [width + 2 * MARGIN, height + 2 * MARGIN].map(Math.ceil) as [number, number];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="${-MARGIN} ${-MARGIN} ${size[0]} ${size[1]}">`,
    `<style>${STYLES}</style>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${size[0]}" height="${size[1]}" class="f-ground"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** The program that runs in the page. It has no types here. */
const DRAW = `(root, colours) => {
  const from = root.getBoundingClientRect();
  const parts = [];
  const round = (value) => Math.round(value * 10) / 10;
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const probe = document.body.appendChild(document.createElement("i"));
  const named = new Map(colours.map((name) => {
    probe.style.color = "var(--" + name + ")";
    return [getComputedStyle(probe).color, name];
  }));
  probe.remove();
  const pen = document.createElement("canvas").getContext("2d");
  const colourOf = (kind, value) => (named.has(value) ? kind + "-" + named.get(value) : "none");
  const drawBox = (box, style) => {
    const [x, y, width, height] = [box.left - from.left, box.top - from.top, box.width, box.height].map(round);
    const [top, side, bottom] = ["top", "left", "bottom"].map((edge) => parseFloat(style.getPropertyValue("border-" + edge + "-width")));
    const fill = colourOf("f", style.backgroundColor);
    if (top > 0 && side > 0) {
      const radius = Math.min(width / 2, style.borderRadius.endsWith("%") ? width / 2 : parseFloat(style.borderRadius));
      parts.push('<rect x="' + (x + top / 2) + '" y="' + (y + top / 2) + '" width="' + (width - top) + '" height="' + (height - top) + '" rx="' + radius + '" stroke-width="' + top + '" class="' + fill + " " + colourOf("s", style.borderTopColor) + '"/>');
      return;
    }
    if (fill !== "none" && fill !== "f-ground") parts.push('<rect x="' + x + '" y="' + y + '" width="' + width + '" height="' + height + '" class="' + fill + '"/>');
    const rule = (at, colour) => parts.push('<line x1="' + x + '" x2="' + round(x + width) + '" y1="' + at + '" y2="' + at + '" class="' + colourOf("s", colour) + '"/>');
    if (top > 0) rule(y, style.borderTopColor);
    if (bottom > 0) rule(round(y + height), style.borderBottomColor);
  };
  const drawText = (node, style) => {
    const range = document.createRange();
    const lines = [];
    for (let at = 0; at < node.data.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const [box] = range.getClientRects();
      if (box === undefined || box.width === 0) continue;
      const line = lines.at(-1);
      if (line !== undefined && Math.abs(line.top - box.top) < 4) Object.assign(line, { text: line.text + node.data[at], right: box.right });
      else lines.push({ text: node.data[at], left: box.left, right: box.right, top: box.top });
    }
    pen.font = style.font;
    const { fontBoundingBoxAscent: ascent } = pen.measureText("x");
    for (const { text, left, right, top } of lines.filter((line) => line.text.trim() !== "")) {
      const mono = style.fontFamily.includes("monospace") ? " mono" : "";
      parts.push('<text x="' + round(left - from.left) + '" y="' + round(top - from.top + ascent) + '" font-size="' + parseFloat(style.fontSize) + '" font-weight="' + style.fontWeight + '" textLength="' + round(right - left) + '" lengthAdjust="spacingAndGlyphs" class="' + colourOf("f", style.color) + mono + '" xml:space="preserve">' + escaped(text) + "</text>");
    }
  };
  const draw = (element) => {
    const [style, box] = [getComputedStyle(element), element.getBoundingClientRect()];
    if (!element.checkVisibility() || element.matches(".unseen")) return;
    if (element.tagName === "svg") {
      const copy = element.cloneNode(true);
      for (const name of ["role", "aria-labelledby", "aria-hidden"]) copy.removeAttribute(name);
      for (const [name, value] of [["x", box.left - from.left], ["y", box.top - from.top], ["width", box.width], ["height", box.height]]) copy.setAttribute(name, round(value));
      for (const words of copy.querySelectorAll("title,desc")) words.remove();
      parts.push(new XMLSerializer().serializeToString(copy));
      return;
    }
    if (element !== root) drawBox(box, style);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) drawText(child, style);
      else if (child.nodeType === Node.ELEMENT_NODE) draw(child);
    }
  };
  draw(root);
  return { width: from.width, height: from.height, parts };
}`;
