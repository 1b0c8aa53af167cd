/** The style of the editor, in addition to the style of all private pages. */
export const editorStyle = `
body { padding: 0 max(24px, calc((100vw - 1240px) / 2)); font-size: 16px; line-height: 1.6 }
header { padding: 16px 0 0 }
.account { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; color: var(--soft); font-size: 14px }
.tabs { display: flex; flex-wrap: wrap; gap: 0 24px; margin: 0; padding: 0; border-bottom: 1px solid var(--line); list-style: none; font-size: 15px }
.tabs a { display: inline-block; padding: 10px 0; margin-bottom: -1px; border-bottom: 2px solid transparent; color: var(--soft); text-decoration: none }
.tabs a:hover { color: var(--ink) }
.tabs [aria-current] { border-color: var(--accent); color: var(--ink); font-weight: 600 }
.tabs .visit { margin-left: auto }
main { padding: 32px 0 64px }
h1 { margin: 0 0 16px; font-size: clamp(22px, 4vw, 28px); line-height: 1.25; letter-spacing: -.02em }
h2 { margin: 32px 0 12px; font-size: 17px }
form { margin: 0 }
fieldset { margin: 0 0 24px; padding: 0; border: 0; min-width: 0 }
legend { padding: 0; margin: 0 0 8px; font-size: 15px; font-weight: 600 }
.field { margin: 0 0 20px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.check { display: flex; align-items: flex-start; gap: 10px; margin: 0; padding: 8px 0; font-weight: 400 }
[type=checkbox], [type=radio] { width: 20px; min-height: 20px; height: 20px; padding: 0; margin: 3px 0 0; flex: none; accent-color: var(--accent) }
textarea { min-height: 440px; resize: vertical; font: 15px/1.65 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; tab-size: 2 }
textarea[readonly] { min-height: 160px }
:is(input, textarea, select, .button, button, summary):focus-visible { outline-offset: 2px; border-radius: 8px }
[aria-invalid] { border-color: var(--bad) !important }
.hint { margin: 4px 0 0; color: var(--soft); font-size: 14px }
.error { margin: 4px 0 0; color: var(--bad); font-size: 14px; font-weight: 600 }
main > .hint, legend + .hint { margin-bottom: 16px }
h2:has(+ .thumbs:empty), .thumbs:empty { display: none }
dialog > h2:first-child { margin-top: 0 }
.quiet, .account button { min-height: 36px; padding: 4px 14px; border-color: var(--edge); background: none; color: var(--ink); font-size: 14px; font-weight: 500 }
.quiet:hover, .account button:hover { background: var(--line) }
.danger { border-color: var(--bad); color: var(--bad) }
button[disabled] { opacity: .45; cursor: default }
.chips { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 24px; padding: 0; list-style: none; font-size: 14px }
.chips a { display: block; max-width: 20em; padding: 5px 14px; overflow: hidden; border: 1px solid var(--line); border-radius: 99px; color: var(--ink); text-decoration: none; text-overflow: ellipsis; white-space: nowrap }
.chips a:hover { border-color: var(--edge) }
.chips [aria-current] { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
.split { display: grid; gap: 32px; align-items: start }
.split > * { min-width: 0 }
.preview { position: relative }
.preview h2 { margin: 0 0 8px; font-size: 15px }
.preview iframe { display: block; width: 100%; height: 70vh; border: 1px solid var(--line); border-radius: 12px; background: #fff }
@media (min-width: 1000px) { .split { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) } .preview { position: sticky; top: 16px } .preview iframe { height: calc(100vh - 120px); min-height: 480px } }
.bar { position: sticky; bottom: 0; z-index: 1; padding: 12px 0; border-top: 1px solid var(--line); background: var(--paper) }
.status { color: var(--soft); font-size: 14px }
.toolbar { display: flex; flex-wrap: wrap; gap: 4px; margin: 0 0 8px }
.toolbar button { min-width: 40px; min-height: 40px; padding: 6px 10px; border-color: var(--line); background: var(--field); color: var(--ink); font-size: 14px; font-weight: 500; line-height: 1.4 }
.toolbar button:hover { border-color: var(--edge); background: var(--line) }
.toolbar svg { display: block; width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round }
.rows { margin: 0 0 24px; padding: 0; border: 1px solid var(--line); border-radius: 12px; list-style: none }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 14px 16px; border-top: 1px solid var(--line) }
.rows > li:first-child { border-top: 0 }
.rows .name { flex: 1 1 12em; min-width: 0 }
.rows .name a { font-weight: 600 }
.rows .tools { display: flex; flex-wrap: wrap; gap: 8px; align-items: center }
.rows .dragged { opacity: .4 }
[draggable=true] { cursor: grab }
details { position: relative }
summary { cursor: pointer }
summary.quiet { list-style: none; border: 1px solid var(--bad); border-radius: 8px; line-height: 26px }
summary::-webkit-details-marker { display: none }
details[open] > summary { margin-bottom: 8px }
.looks { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 16px }
.look { position: relative; margin: 0; padding: 12px; border: 1px solid var(--line); border-radius: 12px; font-weight: 400; cursor: pointer }
.look:hover { border-color: var(--edge) }
.look:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.look:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px }
.look input { position: absolute; opacity: 0 }
.look svg { display: block; width: 100%; height: auto; margin-bottom: 10px; border-radius: 6px }
.look strong { display: block; font-size: 15px }
.accents { display: flex; flex-wrap: wrap; gap: 8px }
.swatch { display: flex; align-items: center; gap: 8px; margin: 0; padding: 6px 14px 6px 8px; border: 1px solid var(--line); border-radius: 99px; font-size: 14px; font-weight: 400; cursor: pointer }
.swatch:hover { border-color: var(--edge) }
.swatch:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600 }
.swatch:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px }
.swatch input { position: absolute; opacity: 0 }
.swatch svg { width: 24px; height: 24px; flex: none }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 24px; margin: 0 0 24px; padding: 0; list-style: none }
.cards > li { min-width: 0; padding: 12px; border: 1px solid var(--line); border-radius: 12px }
.cards img { width: 100%; aspect-ratio: 3/2; margin-bottom: 12px; border-radius: 6px; background: var(--line); object-fit: cover }
.cards form + form { margin-top: 8px }
.thumbs { display: grid; grid-template-columns: repeat(auto-fill, minmax(96px, 1fr)); gap: 8px; max-height: 40vh; overflow: auto; padding: 4px }
.thumbs button { min-height: 0; padding: 0; background: none; border-radius: 8px; overflow: hidden }
.thumbs img { display: block; width: 100%; aspect-ratio: 1; object-fit: cover }
dialog { width: min(36rem, 100vw - 32px); max-height: calc(100vh - 32px); padding: 24px; border: 1px solid var(--line); border-radius: 16px; background: var(--paper); color: inherit }
dialog::backdrop { background: rgb(0 0 0 / .5) }
progress { width: 100%; height: 8px; accent-color: var(--accent) }
.upload { max-width: 36rem }
[hidden] { display: none !important }
@media (max-width: 600px) { textarea { min-height: 300px } .tabs { gap: 0 18px } .tabs .visit { margin-left: 0 } .preview iframe { height: 60vh } }
`
