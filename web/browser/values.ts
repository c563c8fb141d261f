/**
 * Shows the value at the pointer, or where the arrow keys lead, on each chart whose figure has `data-values`. The points
 * of a chart are those of its path with the class `follow`, or the marks in its group with that class, in the order of
 * the values.
 */

const SVG = "http://www.w3.org/2000/svg";
/** The largest distance from the pointer to a point, in the chart's units. */
const REACH = 24;
const LINE_HEIGHT = 17;
const PADDING = 8;

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly link: Element | null;
}

for (const figure of document.querySelectorAll<HTMLElement>("figure[data-values]"))
  followFigure(figure);

document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-copy]");
  if (link === null) return;
  event.preventDefault();
  void copyAddress(link);
});

/** Copies where the link leads. A browser that refuses goes there, so that its own line has the address. */
async function copyAddress(link: HTMLAnchorElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(link.href);
    link.textContent = "copied";
  } catch {
    location.assign(link.href);
  }
}

/** Makes the charts of a figure show their values. Figures that are drawn later need a call of their own. */
export function followFigure(figure: HTMLElement): void {
  const texts = figure.dataset["values"]!.split("\n"); // it has the attribute
  const status = figure.appendChild(document.createElement("p"));
  status.className = "unseen";
  status.setAttribute("role", "status");
  for (const svg of figure.querySelectorAll("svg")) follow(svg, texts, status);
}

function follow(svg: SVGSVGElement, texts: readonly string[], status: HTMLElement): void {
  const isLine = svg.querySelector("path.follow") !== null;
  const cursor = svg.appendChild(document.createElementNS(SVG, "g"));
  cursor.setAttribute("class", "cursor");
  let marks: readonly Mark[] | undefined;
  let shown: Mark | undefined;
  const show = (mark: Mark | undefined) => {
    if (mark === shown) return;
    shown = mark;
    cursor.replaceChildren();
    if (mark !== undefined) drawCursor(cursor, mark, { svg, isLine });
  };
  const showAt = (event: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const distance = (mark: Mark) => Math.hypot(mark.x - x, isLine ? 0 : mark.y - y);
    const nearest = least((marks ??= marksOf(svg, texts)), distance);
    show(nearest !== undefined && (isLine || distance(nearest) <= REACH) ? nearest : undefined);
  };
  svg.addEventListener("pointermove", showAt);
  let tapped: Mark | undefined;
  let isTouch = false;
  svg.addEventListener("pointerdown", (event) => {
    isTouch = event.pointerType === "touch";
    tapped = shown;
    showAt(event);
  });
  // The first tap shows a value, a second one on the same point leads on.
  svg.addEventListener("click", (event) => {
    if (!isTouch || !event.isTrusted) return;
    event.preventDefault();
    if (shown !== undefined && shown === tapped) goTo(shown);
  });
  // After a touch the value stays until a tap elsewhere.
  svg.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") show(undefined);
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!svg.contains(target as Node)) show(undefined);
  });
  svg.addEventListener("blur", () => show(undefined));
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Enter") goTo(shown);
    if (event.key === "Escape") show(undefined);
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    marks ??= marksOf(svg, texts);
    show(nextMark(marks, shown, event.key) ?? shown);
    status.textContent = shown?.text.replace("|", ", ") ?? "";
  });
}

function goTo(mark: Mark | undefined): void {
  mark?.link?.dispatchEvent(new MouseEvent("click"));
}

function marksOf(svg: SVGSVGElement, texts: readonly string[]): readonly Mark[] {
  const path = svg.querySelector("path.follow");
  const points =
    path === null
      ? Array.from(
          svg.querySelectorAll<SVGGraphicsElement>(".follow circle, .follow rect"),
          (mark) => {
            const { x, y, width, height } = mark.getBBox();
            return { x: x + width / 2, y: y + height / 2, link: mark.closest("a") };
          },
        )
      : Array.from(path.getAttribute("d")!.matchAll(/(-?[\d.]+),(-?[\d.]+)/g), ([, x, y]) => {
          return { x: Number(x), y: Number(y), link: null };
        });
  return points.map((point, at) => ({ ...point, text: texts[at] ?? "" }));
}

/** The mark that an arrow key leads to: the nearest in its direction, or the last where none is shown yet. */
function nextMark(marks: readonly Mark[], from: Mark | undefined, key: string): Mark | undefined {
  if (from === undefined) return marks.at(-1);
  const isAcross = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  const along = (mark: Mark) => sign * (isAcross ? mark.x - from.x : mark.y - from.y);
  const aside = (mark: Mark) => Math.abs(isAcross ? mark.y - from.y : mark.x - from.x);
  const ahead = marks.filter((mark) => along(mark) > 0);
  const isLine = marks.every(({ link }) => link === null);
  return least(ahead, (mark) => along(mark) + (isLine && isAcross ? 0 : 3 * aside(mark)));
}

/** Imports nothing, so that the script of most pages is one request. */
function least(marks: readonly Mark[], size: (mark: Mark) => number): Mark | undefined {
  let best: Mark | undefined;
  for (const mark of marks) if (best === undefined || size(mark) < size(best)) best = mark;
  return best;
}

function drawCursor(
  cursor: SVGGElement,
  { x, y, text }: Mark,
  { svg, isLine }: { readonly svg: SVGSVGElement; readonly isLine: boolean },
): void {
  const { width, height } = svg.viewBox.baseVal;
  if (isLine) add(cursor, "line", { x1: x, x2: x, y1: 14, y2: height - 30, class: "rule" });
  add(cursor, "circle", { cx: x, cy: y, r: 6, class: "pointed" });
  const box = add(cursor, "rect", { rx: 6, class: "bubble" });
  const words = text.split("|").map((line, at) => {
    const element = add(cursor, "text", { class: at === 0 ? "label ink" : "ink" });
    element.textContent = line;
    return element;
  });
  const wide = Math.max(...words.map((element) => element.getBBox().width)) + 2 * PADDING;
  const high = words.length * LINE_HEIGHT + PADDING;
  const left = Math.max(0, Math.min(width - wide, x - wide / 2));
  const top = y - high - 12 > 0 ? y - high - 12 : y + 14;
  set(box, { x: left, y: top, width: wide, height: high });
  words.forEach((element, at) =>
    set(element, { x: left + PADDING, y: top + 16 + at * LINE_HEIGHT }),
  );
}

type Attributes = Readonly<Record<string, string | number>>;

function add<Name extends keyof SVGElementTagNameMap>(
  parent: SVGElement,
  name: Name,
  attributes: Attributes,
): SVGElementTagNameMap[Name] {
  const element = parent.appendChild(document.createElementNS(SVG, name));
  set(element, attributes);
  return element;
}

function set(element: SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}
