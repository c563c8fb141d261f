/** The part of the style sheet that the documentation adds: contents beside text, prose, search, reference. */
export const DOCS_STYLES = `
.beside .bar,.beside .foot{max-width:1440px}.columns{display:grid;grid-template-columns:250px minmax(0,1fr);gap:48px;max-width:1440px;margin:0 auto;padding:0 20px}
.columns main{max-width:none;margin:0;padding:0 0 40px;min-width:0}
.aside{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:24px 12px 24px 2px;font-size:15.5px}
.tools{display:flex;gap:8px}.search{flex:1;min-width:0}.search input{width:100%;font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--faint);border-radius:8px;padding:8px 10px}
.tools button{display:none}
#contents{display:block;position:static;width:auto;height:auto;margin:18px 0 0;padding:0;border:0;background:none;color:inherit;overflow:visible}
#contents b{display:block;font-size:13px;letter-spacing:.03em;text-transform:uppercase;color:var(--soft);margin:18px 0 4px}
#contents ul{list-style:none;margin:0;padding:0}#contents ul ul{margin:2px 0 6px;padding-left:12px;border-left:1px solid var(--line)}
#contents a{display:block;padding:4px 8px;border-radius:6px;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}#contents ul ul a{color:var(--soft);font-size:14.5px;padding-block:3px}
#contents a:hover{background:var(--panel)}#contents a[aria-current]{background:var(--band);color:var(--ink);font-weight:600}
.found{display:none}.found:has(li),.found:has(p:not(:empty)){display:block;position:absolute;z-index:2;width:min(560px,calc(100vw - 40px));max-height:min(640px,75vh);overflow-y:auto;margin-top:6px;background:var(--ground);border:1px solid var(--faint);border-radius:10px;box-shadow:0 8px 28px rgb(0 0 0/.18)}
.aside:has(.found li),.aside:has(.found p:not(:empty)){overflow:visible}
.found p{margin:0;padding:10px 14px;color:var(--soft);font-size:14.5px}
.hits ol{list-style:none;margin:0;padding:0}.hits a{display:block;padding:10px 14px;border-top:1px solid var(--line);color:var(--ink);text-decoration:none}.hits a:hover,.hits a:focus{background:var(--panel)}.hits b{color:var(--accent)}.hits span{display:block;color:var(--soft);font-size:14.5px}.hits .page{display:inline;color:var(--faint);font-size:13.5px}
.hits.whole{max-width:72ch}.hits.whole a{padding-inline:0}mark{background:var(--luck-soft);color:inherit;font-weight:600;border-radius:3px}
.crumb{margin:34px 0 -34px;font-size:15px}.beside h1{font-size:clamp(28px,4vw,38px)}.beside h1:first-child{margin-top:24px}
.prose h2{margin:44px 0 10px;font-size:23px;scroll-margin-top:16px}.prose h3{scroll-margin-top:16px}.prose p,.prose li,.prose blockquote{max-width:72ch}.prose li{margin:4px 0}.prose>div>:first-child{margin-top:0}
.prose .anchor{float:left;width:1em;margin-left:-1em;color:var(--faint);text-decoration:none;opacity:0}.prose :hover>.anchor{opacity:1}
.prose :target{background:var(--luck-soft);border-radius:4px}
.prose code{background:var(--panel);padding:.1em .3em;border-radius:4px;font-size:.87em;overflow-wrap:break-word}.prose pre code,.prose h1 code{background:none;padding:0;font-size:inherit}.prose pre{max-width:100%}
.prose table{width:auto;min-width:min(100%,420px)}.prose th,.prose td{text-align:left;vertical-align:top;white-space:normal;padding:8px 18px 8px 0}.prose td:first-child code{white-space:nowrap}.prose .scroll{margin:16px 0}
.prose blockquote{margin:16px 0;padding-left:16px;border-left:3px solid var(--line);color:var(--soft)}
.parts{list-style:none;padding:0}.parts li{padding:5px 8px;margin:0 -8px}.parts li span{color:var(--soft);font-size:15px;margin-left:6px}.parts .parts{margin:0;padding-left:18px;font-size:15.5px}
.neighbours{display:flex;flex-wrap:wrap;gap:12px;justify-content:space-between;max-width:72ch;margin-top:56px;padding-top:18px;border-top:1px solid var(--line)}.neighbours a{text-decoration:none;font-weight:600}.neighbours span{display:block;color:var(--soft);font-size:14px;font-weight:400}.neighbours .next{margin-left:auto;text-align:right}
.beside .groups{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr));gap:8px 48px;margin-top:40px}.groups h2{margin-top:20px;border-bottom:1px solid var(--line);padding-bottom:8px}.groups dt{font-weight:600;margin-top:12px}.groups dd{margin:0;color:var(--soft);font-size:15.5px}
.operation{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,.85fr);gap:48px}.operation .lead{font-size:18px;margin-bottom:18px}.operation h1{font-size:clamp(24px,3vw,32px);max-width:none;letter-spacing:0}
.members{margin:0}.members>div{padding:12px 0;border-top:1px solid var(--line)}.members dt span,.members dt b{font-size:14.5px;font-weight:400;color:var(--soft);margin-left:6px}.members dt b{color:var(--luck)}.members dt code{font-weight:600}.members dd{margin:2px 0 0;max-width:66ch;font-size:15.5px}.members dd>.members{margin-top:8px}.members .fact{display:block;color:var(--soft);font-size:14.5px}
.members details{margin-top:6px}.members details>.members{margin:8px 0 0;padding-left:14px;border-left:2px solid var(--line)}
.panel{position:sticky;top:16px;align-self:start;max-height:calc(100vh - 32px);overflow-y:auto;margin-top:24px;font-size:15.5px}
.panel section{border:0;padding:0;margin:0 0 18px}.panel pre{margin:0;max-height:420px;overflow:auto;font-size:13.5px}.panel fieldset{border:0;margin:0;padding:0;min-width:0}
.samples{background:var(--panel);border:1px solid var(--line)!important;border-radius:10px;overflow:hidden}.samples fieldset{display:flex;gap:4px;padding:6px 10px;border-bottom:1px solid var(--line)}.samples legend{position:absolute;left:-999px}.samples label{padding:3px 8px;border-radius:6px;cursor:pointer;color:var(--soft)}.samples label:has(:checked){background:var(--band);color:var(--ink);font-weight:600}.samples label:has(:focus-visible){outline:2px solid var(--accent)}.samples input{position:absolute;opacity:0}
.samples pre{display:none;border:0;border-radius:0;background:none}.samples:has([value=curl]:checked) [data-language=curl],.samples:has([value=JavaScript]:checked) [data-language=JavaScript],.samples:has([value=Python]:checked) [data-language=Python]{display:block}
.try{border:1px solid var(--line);border-radius:10px;padding:14px 16px 16px;margin-bottom:18px}.try legend{font-weight:600;padding:0;margin-bottom:10px}.try .field{margin-bottom:10px;font-size:14.5px}.try .field code{color:var(--ink)}.try input,.try textarea,.try select{font-size:15px!important}.try textarea{display:block;width:100%;margin-top:4px;padding:8px 10px;border:1px solid var(--faint);border-radius:8px;background:var(--ground);color:var(--ink);font:13.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;resize:vertical}.try .choice{display:block;margin:-4px 0 12px;color:var(--soft);font-size:14.5px}.try details{margin:0 0 12px}.try fieldset:disabled{opacity:.75}
.answer{margin-top:16px}.status{margin:0 0 8px}.status.good b{color:var(--skill)}.status.bad b{color:var(--luck)}.answer dl{margin:0 0 10px;font-size:14px}.answer dl div{display:flex;gap:8px;flex-wrap:wrap}.answer dt{color:var(--soft)}.answer dd{margin:0;min-width:0;overflow-wrap:anywhere}.answer code{font-size:13px}
.examples summary{margin:6px 0}
@media(max-width:1180px){.operation{grid-template-columns:minmax(0,1fr);gap:0}.panel{position:static;max-height:none;overflow:visible;max-width:72ch}}
@media(max-width:860px){.columns{grid-template-columns:minmax(0,1fr);gap:0}.aside{position:static;max-height:none;overflow:visible;padding:16px 0 0}.tools button{display:block}#contents{display:none}#contents:popover-open{display:block;position:fixed;inset:0 auto 0 0;width:min(360px,88vw);height:100dvh;max-height:none;margin:0;padding:4px 20px 24px;overflow-y:auto;background:var(--ground);border-right:1px solid var(--faint)}#contents::backdrop{background:rgb(0 0 0/.4)}.prose .anchor{display:none}}
@media print{.aside,.panel .try,.neighbours,.prose .anchor,.samples fieldset{display:none}.columns,.operation{display:block}.prose pre,.prose code,.panel pre{white-space:pre-wrap;overflow-wrap:anywhere;max-height:none}.prose .scroll{overflow-x:visible}.prose h2,.prose h3{break-after:avoid}tr{break-inside:avoid}}
`;
