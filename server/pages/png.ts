import { createRequire } from "node:module";
import type * as Resvg from "@resvg/resvg-js";

const require = createRequire(import.meta.url);
const FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

/** An SVG as PNG, in fonts of our own, since servers have few. Loaded at the first call: few threads make one. */
function pngOf(svg: string): Uint8Array {
  const { Resvg: Renderer } = require("@resvg/resvg-js") as typeof Resvg;
  const fontFiles = FONTS.map((name) => require.resolve(`dejavu-fonts-ttf/ttf/${name}`));
  const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: "DejaVu Sans" };
  return new Renderer(svg, { font }).render().asPng();
}

/** What a path leads to: its text, or of a picture the PNG. */
export function fileOf(path: string, textOf: (path: string) => string): string | Uint8Array {
  const text = textOf(path);
  return path.endsWith(".png") ? pngOf(text) : text;
}
