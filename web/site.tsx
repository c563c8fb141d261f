import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { Chart } from "./charts/chart.tsx";
import { csvOf } from "./csv.ts";
import type { DatasetData } from "./dataset-data.ts";
import type { IndexData } from "./index-data.ts";
import type { PageSource } from "./layout.tsx";
import { Home } from "./pages/home.tsx";
import { indexDrawing } from "./pages/index-figure.tsx";
import { IndexPage } from "./pages/index.tsx";
import { CHART_STYLES, TOKENS } from "./styles.ts";

/** What the pages show: the API's own answers, made when a page needs them. */
export interface SiteData {
  readonly about: PageSource;
  index(): IndexData;
  dataset(): DatasetData;
}

export interface Rendered {
  readonly type: "html" | "svg" | "csv";
  readonly text: string;
}

type Render = (data: SiteData) => Rendered;

/** Pages with a fixed address. */
const FIXED: Readonly<Record<string, Render>> = {
  "/": (data) =>
    html(<Home data={{ dataset: data.dataset(), index: data.index() }} about={data.about} />),
  "/index": (data) => html(<IndexPage data={data.index()} about={data.about} />),
  "/index.svg": indexSvg,
  "/index.csv": (data) => ({ type: "csv", text: csvOf(data.index().history) }),
};

/** Makes the page of one of those paths. */
export function renderPath(path: string, data: SiteData): Rendered {
  const render = FIXED[path];
  if (render === undefined) throw new RangeError(`no page "${path}"`);
  return render(data);
}

function html(page: VNode): Rendered {
  return { type: "html", text: `<!doctype html>${renderToString(page)}` };
}

const SVG_SIZE = { width: 1040, height: 320, isNarrow: false };

/** The index as a picture that stands alone, for other sites. */
function indexSvg(data: SiteData): Rendered {
  const drawing = indexDrawing(data.index(), data.about.isSynthetic);
  const svg = renderToString(<Chart drawing={drawing} size={SVG_SIZE} className="alone" />);
  return { type: "svg", text: svg.replace(">", `><style>${TOKENS}${CHART_STYLES}</style>`) };
}
