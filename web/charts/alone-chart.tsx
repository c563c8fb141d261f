import { renderToString } from "preact-render-to-string";
import { CHART_STYLES, TOKENS } from "../styles.ts";
import { Chart, type Drawing } from "./chart.tsx";
import { textWidth } from "./labels.ts";

const EDGE = 16;
const TITLE_HEIGHT = 24;
const LINE_HEIGHT = 19;

/** A chart that stands alone: with its words, its source, and its own styles for light and dark schemes. */
export function aloneChart(drawing: Drawing, source: string, isSynthetic: boolean): string {
  const { width: drawn = 640, height: high = 330, title, subtitle } = drawing;
  const across = Math.max(640, drawn);
  const sources = wrapped(source, across);
  const [titles, words] = [wrapped(title, across / 1.45), wrapped(subtitle, across)];
  const top = titles.length * TITLE_HEIGHT + words.length * LINE_HEIGHT + 8;
  const width = across + 2 * EDGE;
  const height = top + high + 12 + sources.length * LINE_HEIGHT + 2 * EDGE;
  const lines = (texts: readonly string[], from: number, step = LINE_HEIGHT) =>
    texts.map((text, row) => (
      <text y={from + row * step} class={step === TITLE_HEIGHT ? "caption" : undefined}>
        {text}
      </text>
    ));
  const draw = () => (
    <>
      <rect width={width} height={height} class="fill-ground" />
      <g transform={`translate(${EDGE} ${EDGE})`}>
        {lines(titles, 16, TITLE_HEIGHT)}
        {lines(words, titles.length * TITLE_HEIGHT + 14)}
        <g transform={`translate(0 ${top})`}>
          {drawing.draw({ width: drawn, height: high, isNarrow: false })}
        </g>
        {lines(sources, top + high + 20)}
      </g>
    </>
  );
  const whole = { ...drawing, isSynthetic, draw };
  const svg = renderToString(
    <Chart drawing={whole} size={{ width, height, isNarrow: false }} className="alone" />,
  );
  return svg.replace(">", `><style>${TOKENS}${CHART_STYLES}</style>`);
}

/** A text of 13 px in lines of a width. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return text === "" ? [] : lines;
}
