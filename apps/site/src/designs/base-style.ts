/** The styles of all designs: the elements of Markdown, and the defaults that any page needs. */
export const baseStyle = `
*,::before,::after{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%;scroll-padding-top:24px}
body{margin:0;background:var(--paper);color:var(--ink);overflow-wrap:anywhere;overflow-x:clip}
h1,h2,h3,h4,h5,h6{text-wrap:balance;font-weight:inherit}
p,li,dd,figcaption,blockquote{text-wrap:pretty}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:2px}
img{display:block;max-width:100%;height:auto;background:var(--line)}
figure{margin:0}
figcaption{margin-top:10px;color:var(--soft);font-size:.82em;line-height:1.45}
pre,.table{overflow-x:auto}
pre{padding:16px 20px;background:var(--tint);font-size:.85em;line-height:1.6}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
pre code{font-size:1em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;min-width:50%}
th,td{padding-block:10px;padding-inline:0 28px;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{font-size:.85em;color:var(--soft);font-weight:600}
td:last-child,th:last-child{padding-inline-end:0}
hr{border:0;border-top:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;margin:0;padding:0;list-style:none}
nav a{display:inline-block;padding:12px 0;text-decoration:none}
.site{display:inline-flex;align-items:center;color:inherit;text-decoration:none}
.skip{position:absolute;inset-inline-start:16px;top:-60px;z-index:2;padding:12px 16px;background:var(--ink);color:var(--paper)}
.skip:focus{top:16px}
.button{display:inline-block;padding:12px 24px;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
.button:hover{text-decoration:underline}
li>p{margin:0}
@media print{body{background:#fff;color:#000}nav,.skip{display:none}a{color:inherit}pre{white-space:pre-wrap}img,pre,blockquote,tr{break-inside:avoid}h1,h2,h3{break-after:avoid}}
@media (forced-colors:active){.button{border:1px solid ButtonText}}
`
