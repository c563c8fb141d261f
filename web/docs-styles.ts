/** The style sheet of the documentation, which is part of each page. Its colours are `TOKENS`. */
export const DOCS_STYLES = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); background: var(--panel); }
header nav, .page { max-width: 54rem; margin: 0 auto; padding: 0 1.25rem; }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; padding-top: .7rem; padding-bottom: .7rem; }
.contents { font-size: .9em; }
.contents summary { color: var(--soft); cursor: pointer; padding-top: 1rem; }
.contents ul { list-style: none; margin: .5rem 0 0; padding: 0; }
.contents li.deeper { padding-left: 1rem; }
.contents a { color: var(--soft); text-decoration: none; }
.contents a:hover { color: var(--ink); }
.contents code { background: none; padding: 0; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1.25rem; background: var(--ground); padding: .3rem .6rem; }
dt { font-weight: 600; margin-top: .8em; }
dd { margin: 0; color: var(--soft); }
header a { color: var(--soft); text-decoration: none; }
header a:hover, header a[aria-current] { color: var(--ink); }
header a.home { font-weight: 650; color: var(--ink); }
main { padding-top: 1rem; padding-bottom: 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .5em; }
h1 { margin-top: 1em; font-size: 1.9rem; }
h2 { font-size: 1.35rem; padding-top: .9em; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
:target { background: #ffe9a8; color: #1d2329; }
:target code { background: none; }
.anchor { float: left; margin-left: -1.1em; width: 1.1em; color: var(--soft); text-decoration: none; opacity: 0; font-weight: 400; }
:hover > .anchor, .anchor:focus { opacity: 1; }
a { color: var(--accent); }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
code { background: var(--panel); padding: .1em .3em; border-radius: 3px; overflow-wrap: break-word; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; margin: 1em 0; }
table { border-collapse: collapse; font-size: .95em; }
th, td { border-bottom: 1px solid var(--line); padding: .4em .9em .4em 0; text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line); color: var(--soft); }
@media print {
  header, .contents { display: none; }
  .page { max-width: none; padding: 0; }
  pre, code { white-space: pre-wrap; overflow-wrap: anywhere; }
  .table { overflow-x: visible; }
  h2, h3, h4 { break-after: avoid; }
  tr { break-inside: avoid; }
}
`;
