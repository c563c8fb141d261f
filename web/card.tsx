import { renderToString } from "preact-render-to-string";
import { wrapped } from "./charts/alone-chart.tsx";
import type { Drawing } from "./charts/chart.tsx";
import { CHART_STYLES, TOKENS } from "./styles.ts";

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 48;
/** The picture is drawn for a phone and enlarged, because a preview is small. */
const SCALE = 1.9;
const TITLE = { size: 46, step: 54, lines: 3 };
const WORDS = { size: 26, step: 34, lines: 3 };
/** The size of the texts that `wrapped` measures. */
const MEASURED = 13;
const BOTTOM = 62;

export interface CardWords {
  readonly title: string;
  readonly words?: string;
  readonly drawing?: Drawing | undefined;
  /** Where it is from, without "https://". */
  readonly address: string;
  readonly isSynthetic: boolean;
}

/**
 * What a preview of a link shows, as SVG of 1,200 x 630. Its colours are written out and its style is plain, because what
 * makes a PNG of it knows neither variables nor media queries.
 */
export function cardSvg({ title, words = "", drawing, address, isSynthetic }: CardWords): string {
  const titles = lines(title, TITLE, 1.08); // bold
  const texts = lines(words, WORDS, 1);
  const under = EDGE + 62 + titles.length * TITLE.step;
  const top = under + texts.length * WORDS.step;
  const size = {
    width: (WIDTH - 2 * EDGE) / SCALE,
    height: (HEIGHT - BOTTOM - top) / SCALE,
    isNarrow: true,
  };
  const isDrawn = drawing !== undefined && size.height > 90;
  const svg = renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="chart"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <rect width={WIDTH} height={HEIGHT} class="fill-ground" />
      <text x={EDGE} y={EDGE + 20} class="brand">
        Hindsight
      </text>
      {isSynthetic && (
        <text x={WIDTH - EDGE} y={EDGE + 20} text-anchor="end" class="made">
          made-up prices
        </text>
      )}
      {titles.map((text, row) => (
        <text x={EDGE} y={EDGE + 92 + row * TITLE.step} class="title">
          {text}
        </text>
      ))}
      {texts.map((text, row) => (
        <text x={EDGE} y={under + 32 + row * WORDS.step} class="words">
          {text}
        </text>
      ))}
      {isDrawn && (
        <g transform={`translate(${EDGE} ${top}) scale(${SCALE})`}>{drawing.draw(size)}</g>
      )}
      <text x={EDGE} y={HEIGHT - 26} class="words">
        {address}
      </text>
    </svg>,
  );
  return svg.replace(">", `><style>${CARD_STYLES}</style>`);
}

function lines(text: string, { size, lines: most }: typeof TITLE, bold: number): readonly string[] {
  const all = wrapped(text, ((WIDTH - 2 * EDGE) * MEASURED) / (size * bold));
  if (all.length <= most) return all;
  return [...all.slice(0, most - 1), `${all[most - 1]} …`]; // there are more
}

const light = Object.fromEntries(
  Array.from(
    TOKENS.slice(0, TOKENS.indexOf("}")).matchAll(/--([\w-]+):([^;}]+)/g),
    ([, name, value]) => [name, value],
  ),
) as Readonly<Record<string, string>>;

const CARD_STYLES = (
  CHART_STYLES.replace(/font:13px [^;]+;/, "font-family:'DejaVu Sans',sans-serif;font-size:13px;") +
  ".chart .title{font-size:46px;font-weight:700;fill:var(--ink)}.chart .words{font-size:26px}.chart .brand,.chart .made{font-size:28px;font-weight:700;fill:var(--accent)}.chart .made{fill:var(--luck)}"
).replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => light[name]!); // each is a token
