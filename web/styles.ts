/**
 * The style sheet, in three parts. A saved report has all of them, the file of a chart the first two. Each colour has one
 * meaning everywhere: accent is the reader's own or what is selected, amber is luck, teal is skill, grey is context.
 */
export const TOKENS = `
:root{color-scheme:light dark;--ink:#17202b;--soft:#4c5967;--faint:#647080;--line:#dde3ea;--ground:#fff;--panel:#f6f8fa;--accent:#0b62bb;--luck:#9d4807;--luck-soft:#fbeedd;--skill:#0d6b63;--context:#8a95a3;--band:#dbe8f6}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf3;--soft:#a5b1bf;--faint:#93a0ae;--line:#2a333d;--ground:#0f1419;--panel:#161d24;--accent:#6cb2ff;--luck:#f0a04b;--luck-soft:#33230f;--skill:#43c5b6;--context:#76828f;--band:#1b2f45}}
@media print{:root{color-scheme:light;--ink:#000;--soft:#333;--faint:#444;--line:#ccc;--ground:#fff;--panel:#fff;--accent:#0b62bb;--luck:#9d4807;--luck-soft:#fff;--skill:#0d6b63;--context:#777;--band:#e8eef5}}
`;

export const CHART_STYLES = `
.chart{max-width:100%;height:auto;overflow:visible}
.chart text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--soft);font-variant-numeric:tabular-nums}
.chart text.small{font-size:11px}.chart .label{font-weight:600}.chart .caption{font-size:17px;font-weight:600;fill:var(--ink)}
.chart .grid{stroke:var(--line)}.chart .rule{stroke:var(--soft);stroke-dasharray:4 4}
.chart .line{fill:none;stroke-width:2.5;stroke-linejoin:round}.chart .thin{stroke-width:1.25}
.chart .interval{stroke:var(--soft);stroke-width:2}.chart .axis{stroke:var(--soft)}.chart .pale-dot{opacity:.38}.chart .area{stroke:none}.chart .band{fill:var(--band)}
.chart .stroke-accent{stroke:var(--accent)}.chart .stroke-luck{stroke:var(--luck)}.chart .stroke-skill{stroke:var(--skill)}.chart .stroke-context{stroke:var(--context)}
.chart .fill-accent{fill:var(--accent)}.chart .fill-luck{fill:var(--luck)}.chart .fill-skill{fill:var(--skill)}.chart .fill-context{fill:var(--context)}.chart .fill-ground{fill:var(--ground)}.chart .fill-panel{fill:var(--panel)}
.chart .fill-luck-soft{fill:var(--luck);opacity:.16}
.chart text.fill-context{fill:var(--soft)}
.chart .dot{stroke:var(--ground);stroke-width:2}
.chart .deep{fill:var(--accent);opacity:.17}.chart .dash{stroke-dasharray:6 5}.chart .stop-ring{fill:none;stroke:var(--luck);stroke-width:2.5}.chart .empty{fill:var(--panel);stroke:var(--context)}.chart .ink-line{stroke:var(--ink)}
.chart .halo{paint-order:stroke;stroke:var(--ground);stroke-width:4px}.chart .bound{stroke-width:1;opacity:.65}.chart .ink,.chart .fill-ink{fill:var(--ink)}.chart .ring{fill:var(--ground);stroke:var(--soft);stroke-width:1.5}.chart .link{stroke-width:3}.chart .pale{opacity:.6}
.chart .bubble{fill:var(--ground);stroke:var(--faint)}.chart .pointed{fill:none;stroke:var(--ink);stroke-width:2}.cursor{pointer-events:none}
.chart a{cursor:pointer}.chart a:focus-visible circle,.chart a:focus-visible rect{stroke:var(--ink);stroke-width:2}
`;

export const PAGE_STYLES = `
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:17px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
a{color:var(--accent);text-underline-offset:.15em}main,.bar,.foot{max-width:1080px;margin:0 auto;padding:0 20px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.unseen,main:has([data-verdict])>h1{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);margin:0}figure{position:relative;container-type:inline-size}figure[data-values] svg{touch-action:pan-y pinch-zoom}
tr:target{background:var(--band);scroll-margin-top:35vh}
.skip{position:absolute;left:-999px}.skip:focus{left:12px;top:8px;background:var(--ground);padding:6px 10px;z-index:1}
header{border-bottom:1px solid var(--line)}.bar{display:flex;flex-wrap:wrap;gap:2px 20px;align-items:baseline;padding-block:14px}
.brand{font-size:19px;font-weight:700;margin-right:auto;color:var(--ink);text-decoration:none}
.bar nav{display:flex;flex-wrap:wrap;gap:2px 20px}.bar nav a{color:var(--soft);text-decoration:none;padding:4px 0}.bar nav a:hover{text-decoration:underline}.bar nav a[aria-current]{color:var(--ink);font-weight:600}
.notice{background:var(--luck-soft);color:var(--luck);font-size:14.5px;text-align:center;padding:7px 12px;margin:0}
h1{font-size:clamp(30px,5vw,46px);line-height:1.12;letter-spacing:-.02em;margin:48px 0 10px;max-width:22ch;text-wrap:balance}
h2{font-size:25px;letter-spacing:-.01em;line-height:1.25;margin:0 0 8px;text-wrap:balance}h3{font-size:18px;margin:26px 0 6px}
.lead{font-size:20px;line-height:1.45;color:var(--soft);max-width:56ch;margin:0 0 28px}
section{border-top:1px solid var(--line);padding:40px 0}section:first-of-type{border-top:0;padding-top:8px}section p,section li{max-width:62ch}
.two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.25fr);gap:36px;align-items:start}.even{grid-template-columns:repeat(2,minmax(0,1fr))}.doors{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:16px}
.hero-words h1{max-width:none}.hero-words .lead{max-width:72ch}
.card{background:var(--panel);border:1px solid var(--line);border-radius:12px;padding:20px}.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
a.card{display:block;color:var(--ink);text-decoration:none}a.card:hover{border-color:var(--accent)}.doors .card b{color:var(--accent);font-size:18px}.doors .card>span{display:block;color:var(--soft);font-size:15px;margin-top:4px}
.button.door{display:none}@media(max-width:760px){.button.door{display:block;text-align:center;margin:0 0 24px}.two,.even,.doors{grid-template-columns:minmax(0,1fr);gap:20px}h1{margin-top:30px}.lead{font-size:18px}section{padding:30px 0}}
figure{margin:0 0 8px}figcaption{margin:0 0 10px}figcaption b{display:block;font-size:17.5px;line-height:1.3}figcaption span{color:var(--soft);font-size:14.5px}.source{color:var(--faint);font-size:13.5px;margin:6px 0 0}
.wide{display:block}.medium,.narrow{display:none}@container(max-width:859px){.large>.wide{display:none}.large>.medium{display:block}}@container(max-width:499px){.wide,.large>.medium{display:none}.narrow{display:block}}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:15px;width:100%}.scroll{overflow-x:auto;max-width:100%;background:linear-gradient(90deg,var(--ground) 40%,transparent) 0 0/40px 100% no-repeat local,linear-gradient(-90deg,var(--ground) 40%,transparent) 100% 0/40px 100% no-repeat local,linear-gradient(90deg,var(--line),transparent) 0 0/14px 100% no-repeat,linear-gradient(-90deg,var(--line),transparent) 100% 0/14px 100% no-repeat}
th{color:var(--soft);font-weight:500;text-align:right;padding:6px 10px;border-bottom:1px solid var(--line);vertical-align:bottom}td{text-align:right;padding:6px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child,.text{text-align:left!important}th:first-child,td:first-child{padding-left:0}
th button{all:unset;cursor:pointer;font:inherit;color:inherit;padding:4px 0;text-decoration:underline dotted;text-underline-offset:.2em}th button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}.filter{max-width:320px}.good{color:var(--skill)}.bad{color:var(--luck)}.ticker{color:var(--soft);font-weight:400}.strip{display:block;margin:0 0 8px}.spark{display:block;max-width:none;margin-left:auto}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:18px 0;padding:0}.tile{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:12px 14px;margin:0}.tile dd{margin:0;font-size:25px;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums}.tile dt{color:var(--soft);font-size:14px}
.tiles>div{display:flex;flex-direction:column-reverse;justify-content:flex-end}@media(max-width:519px){.extra{display:none}.drop input[type=file]::file-selector-button{display:block;width:100%;min-height:48px;margin:0 0 8px;font:inherit;font-weight:600;color:var(--ground);background:var(--accent);border:0;border-radius:8px}.drop input{width:100%}.scroll th:first-child,.scroll td:first-child{position:sticky;left:0;z-index:1;background:var(--ground);width:130px;min-width:92px;max-width:130px;white-space:normal;overflow-wrap:break-word}.scroll td.text{white-space:normal}.name{display:block;max-width:7.2em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft);font-size:13.5px}td:has(>.name){max-width:none!important;white-space:nowrap!important}td:has(>.good,>.bad){white-space:nowrap!important}th,td{padding-inline:7px}}.detail{display:block;color:var(--faint);font-size:13.5px;white-space:normal}
details{margin-top:8px}summary{cursor:pointer;color:var(--accent);font-size:14.5px}
code,pre{font:14.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}pre{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:12px 14px}
.field{display:block;margin:0 0 14px;font-size:15.5px;color:var(--soft)}.field .value{color:var(--ink);font-weight:600;font-variant-numeric:tabular-nums;float:right}.field input[type=range]{display:block;width:100%;min-height:44px;accent-color:var(--accent);margin:0}
.slider{display:flex;gap:14px;align-items:end}.slider label{flex:1;min-width:0}.field input:not([type=range]),.field select{display:block;width:100%;font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--faint);border-radius:8px;padding:8px 10px;margin-top:4px}
.field.slider input[type=number]{width:6em;min-height:44px;color:var(--ink);font-weight:600}
button,.button{font:inherit;font-weight:600;color:var(--ground);background:var(--accent);border:0;border-radius:8px;padding:9px 16px;cursor:pointer;text-decoration:none;display:inline-block}button.link{background:none;color:var(--accent);border:0;padding:4px 0;font-weight:400;text-decoration:underline;text-underline-offset:.15em}button.quiet{background:none;color:var(--accent);border:1px solid var(--line)}button[aria-pressed=true]{border-color:var(--accent);background:var(--band)}.switches{display:flex;flex-wrap:wrap;gap:8px 20px;margin:0 0 14px}.switches button{min-width:44px;min-height:44px;padding:4px 12px;margin-right:4px}
.event{display:flex;gap:12px;font-size:clamp(30px,4.4vw,44px);line-height:1.12;letter-spacing:-.02em;margin:0 0 10px;max-width:none}.event svg{flex:none;width:.72em;height:.72em;margin-top:.18em;fill:currentColor}.event .open{fill:none;stroke:currentColor;stroke-width:2.5}.event .dashed{stroke-dasharray:4 3.5}.event.skill{color:var(--skill)}.event.luck{color:var(--luck)}
.report>.answer{margin:14px 0 36px}.report .file-name{margin:0;font-size:15px}.said{font-size:20px;line-height:1.45;margin:0 0 14px}.judged{color:var(--soft);font-size:15.5px;border-left:2px solid var(--line);padding-left:12px;margin:0 0 18px;overflow-wrap:anywhere}.mine{color:var(--accent)}
.behind{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:0 40px;margin:0}.behind>div{display:flex;flex-direction:row-reverse;justify-content:flex-end;gap:16px;border-top:1px solid var(--line);padding:14px 0}.behind dd{margin:0;flex:0 0 112px;font-size:24px;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums;white-space:nowrap}.behind dt{flex:1;font-size:16px;color:var(--soft)}.behind b{color:var(--ink)}
.answer{grid-template-columns:minmax(0,1fr) minmax(0,1.35fr)}@media(max-width:899px){.answer{grid-template-columns:minmax(0,1fr);gap:20px}}
.fold{border-top:1px solid var(--line);margin:0}.fold>summary{padding:14px 0;font-size:18px;font-weight:600;color:var(--ink)}.fold>summary span{color:var(--soft);font-size:14.5px;font-weight:400;margin-left:6px}.fold section:first-of-type{padding-top:8px}
.verdict{font-size:19px;line-height:1.4;margin:14px 0 0;padding-left:14px;border-left:4px solid var(--context)}.verdict.luck{border-color:var(--luck)}.verdict.luck b{color:var(--luck)}.verdict.skill{border-color:var(--skill)}.verdict.skill b{color:var(--skill)}
.field label{display:block}.hint{color:var(--faint);font-size:14px}progress{width:100%;accent-color:var(--accent)}
[tabindex="-1"]:focus{outline:0}form details{margin:0 0 18px}form summary{padding:4px 0}
.failed{border-color:var(--luck)}.working,.failed,form.card{margin-top:24px}.report{margin-top:32px}.actions{display:flex;flex-wrap:wrap;gap:8px;margin:24px 0}.actions textarea{width:100%}
.report-title{font-size:clamp(24px,4vw,34px);line-height:1.2;margin:24px 0 8px;max-width:none;overflow-wrap:anywhere}
.drop input{display:block;max-width:100%;font:inherit;font-size:15px;margin:14px auto 4px}form.card{max-width:62ch}.drop p{font-size:15px;margin:10px auto 0}
.drop{border:2px dashed var(--faint);border-radius:12px;padding:26px;text-align:center;color:var(--soft)}.drop.over{border-color:var(--accent);background:var(--panel)}
.beside-live .event{font-size:22px}.live h2{font-size:clamp(30px,4.4vw,44px);letter-spacing:-.02em;line-height:1.15}.said{font-size:18.5px;line-height:1.42}.warn{background:var(--luck-soft);border-left:4px solid var(--luck);border-radius:0 8px 8px 0;padding:12px 16px;font-size:15.5px}
.old .said,.old .event,.old figure,.old .behind,.old .tiles{filter:grayscale(1);opacity:.62}.report td.text{white-space:normal}.report table{margin-bottom:12px}.report li{margin-bottom:4px}
@media(max-width:520px){.bar{position:relative;padding-block:12px 6px}.brand{width:100%}.bar nav{flex-wrap:nowrap;justify-content:space-between;width:100%;gap:0 8px;font-size:clamp(13px,4.1vw,17px)}.bar nav a{white-space:nowrap}.bar nav a:is([href="/docs"],[href="/account"]){position:absolute;top:10px;right:20px}.bar nav a[href="/docs"]:not(:last-child){right:calc(20px + 5.8em)}}
#dca figure{margin-top:28px}.source button.link{font-size:inherit}
.terms{display:flex;flex-wrap:wrap;gap:0 18px;align-items:flex-start}.terms summary{padding:4px 0;text-decoration:underline dotted;text-underline-offset:.2em}.terms details[open]{flex-basis:100%}.terms p{margin:4px 0;font-size:15px}
main:has([data-verdict])>.lead{display:none}
@media print{#check form,.chosen,.actions{display:none}main:has(#check .report)>:not(#check){display:none}}
.answers{list-style:none;padding:0;columns:2}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:14.5px;margin-top:24px}.foot{padding-block:22px}
@media(prefers-reduced-motion:no-preference){.moves{transition:transform .15s}}
@media print{.bar nav,.skip,.drop,button,summary{display:none}section{padding:16px 0}figure,tr,h2{break-inside:avoid}.two{display:block}h2{break-after:avoid}h1{margin-top:20px}.scroll{overflow:visible}table{font-size:12px}td{white-space:normal;padding-inline:5px}}
`;

/** What the check page adds: the questions about a file. */
export const QUESTION_STYLES = `
.chosen{margin:0 0 8px;background:var(--panel);border:1px solid var(--line);border-radius:12px}.chosen>summary{padding:12px 16px;font-size:15px;font-weight:600;overflow-wrap:anywhere}.chosen>form{padding:16px;border-top:1px solid var(--line)}
.asked{margin-top:32px}.asked h2{font-size:clamp(26px,3.6vw,34px);letter-spacing:-.02em;line-height:1.15}.asked>.lead{margin-bottom:24px}
.asked fieldset{border:0;border-top:1px solid var(--line);margin:0;padding:26px 0 24px;min-width:0}.asked legend{float:left;width:100%;padding:0;margin-bottom:8px;max-width:46ch;font-size:21px;font-weight:700;line-height:1.3;letter-spacing:-.01em}.asked fieldset>:not(legend){clear:both}
.asked code{overflow-wrap:anywhere}.asked pre{white-space:pre-wrap}.asked legend code{font-size:.92em;font-weight:600}.no{display:inline-grid;place-items:center;width:1.6em;height:1.6em;border-radius:50%;border:1.5px solid var(--context);color:var(--soft);font-size:15px;font-weight:600;margin-right:12px;vertical-align:.1em;letter-spacing:0}
.why{color:var(--soft);font-size:16px}.why p{margin:0 0 12px;max-width:62ch}.fault{color:var(--luck);font-weight:600}.needless legend{color:var(--soft);font-size:17px}.faulty{border-left:4px solid var(--luck)!important;padding-left:18px!important}
.columns-asked{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:8px 44px;align-items:start}.columns-asked h3{margin:0;font-size:16px;color:var(--soft)}.columns-asked .hint{margin:0 0 8px}
.picks{display:grid;gap:10px;max-width:820px}.pairs{grid-template-columns:repeat(auto-fit,minmax(min(100%,230px),1fr))}.pairs .field{margin:0}.asked fieldset>.field{max-width:400px;margin:0}.asked figure,.asked fieldset>table{max-width:572px;margin-bottom:16px}
.pick{position:relative;display:grid;grid-template:auto auto/22px minmax(0,1fr) 96px;gap:2px 16px;align-items:center;min-height:64px;padding:10px 16px;border:1.5px solid var(--context);border-radius:10px;cursor:pointer}.pick.plain{grid-template:auto/22px minmax(0,1fr)}.pick:hover{border-color:var(--accent)}.pick:has(:focus-visible){outline:2px solid var(--accent);outline-offset:2px}.pick:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1.5px var(--accent);background:var(--panel)}
.tick{grid-row:1/-1;width:22px;height:22px;border-radius:50%;border:2px solid var(--faint);display:grid;place-items:center}[type=checkbox]+.tick{border-radius:5px}.pick :checked+.tick{border-color:var(--accent);background:var(--accent)}.pick :checked+.tick::after{content:"";width:10px;height:5px;border:solid var(--ground);border-width:0 0 2.5px 2.5px;transform:rotate(-45deg) translate(1px,-1px)}
.what b,.what>span{display:block}.what b{line-height:1.4}.what b code{font-size:16px;font-weight:700}.what>span{font-size:14.5px;line-height:1.4;color:var(--soft)}.ends{font-size:15px;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}.ends i{font-style:normal;color:var(--faint)}.pick .ends{grid-area:2/2}.shape{grid-area:1/3/3/4;width:96px}
.helpers{max-height:640px;overflow-y:auto;list-style:none;margin:0;padding:0;border-top:1px solid var(--line);display:grid;grid-template-columns:fit-content(45%) minmax(0,1fr)}.helpers li,.helper{display:grid;grid-column:1/-1;grid-template-columns:subgrid}.helper{grid-template-rows:auto 1fr;gap:0 14px;width:100%;padding:9px 2px;align-items:baseline;text-align:left;line-height:1.4;background:none;border-bottom:1px solid var(--line);border-radius:0;color:var(--soft);font-weight:400;font-size:15px}.helper code{grid-row:1/-1}.helper .ends{font-size:14.5px;color:var(--faint)}button.helper:hover{background:var(--panel)}
.send{border-top:1px solid var(--line);padding:24px 0 18px;display:flex;flex-wrap:wrap;gap:12px 20px;align-items:center}.send button{min-width:190px;min-height:52px;font-size:17px}.send p{margin:0;flex:1;min-width:260px}
.faults{border:2px solid var(--luck);border-radius:10px;padding:16px 20px;margin-bottom:24px}.faults h3{margin:0 0 4px;font-size:19px}.faults ul{margin:0;padding:0;list-style:none}.faults a{display:inline-block;padding:7px 0;color:var(--luck);font-weight:600}
@media(max-width:899px){.columns-asked{grid-template-columns:minmax(0,1fr)}.columns-asked h3{margin-top:18px}}@media(max-width:519px){.pick{column-gap:12px;padding:10px 12px}.pick .ends{grid-area:2/2/3/4}.shape{grid-area:1/3}.send button{width:100%}}
`;

/** What the pages of accounts add. */
export const ACCOUNT_STYLES = `
[hidden]{display:none!important}.operator{margin-left:14px}.account-form{margin:0!important}.ask{align-items:center}.ask .steps{margin:0}.account-form button[type=submit]{min-height:48px;padding-inline:24px}.account-form>:last-child,form.card>:last-child{margin-bottom:0}.steps{color:var(--soft);padding-left:1.2em;max-width:56ch}
button.danger{background:none;color:var(--luck);border:1.5px solid var(--luck)}button.small{padding:5px 12px;font-size:14.5px}button:disabled{opacity:.55;cursor:default}
.facts{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 18px;margin:0 0 14px}.facts dt{color:var(--soft)}.facts dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.account-head{display:flex;flex-wrap:wrap;gap:0 24px;align-items:end;justify-content:space-between}.account-head .lead{margin-bottom:20px;overflow-wrap:anywhere}.account-head form{margin-bottom:24px}
.plan-name{font-weight:600;color:var(--accent)}
.meters{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:12px;margin:18px 0}.meter{display:block;font-size:14px;color:var(--soft)}.meter b{display:block;font-size:25px;font-weight:600;color:var(--ink);font-variant-numeric:tabular-nums}.meter b span{font-size:15px;font-weight:400;color:var(--soft)}.meter progress{display:block;height:10px;margin:4px 0 6px}
.shown{border-color:var(--accent);border-width:2px;margin:8px 0 24px}.shown pre{background:var(--ground);white-space:pre-wrap;overflow-wrap:anywhere}.shown [data-answer] pre{white-space:pre;max-height:340px;overflow:auto}.actions-row{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:center;max-width:none!important}
.new-key{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:end;max-width:none!important;margin-top:18px!important}.new-key .field{margin:0;flex:1 1 220px}
.keys td:first-child{white-space:normal;overflow-wrap:anywhere;min-width:9ch}.everywhere{margin-top:14px}.key-actions{margin:0}.key-actions form{margin:8px 0;white-space:normal}.key-actions select{font:inherit;padding:4px}.inline{display:inline}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;padding:0;margin:0;font-size:14.5px;max-width:none}.legend li{max-width:none}
`;
