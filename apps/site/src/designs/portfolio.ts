import type { Design } from './design.ts'

/** A portfolio: the name and the menu at the side, pictures as large as they get. */
export const portfolio: Design = {
  light: { paper: '#f4f4f2', ink: '#0e0e0e', soft: '#5c5c5a', line: '#d6d6d2' },
  dark: { paper: '#0b0b0c', ink: '#f2f2f0', soft: '#9b9b98', line: '#2c2c2e' },
  style: `
body{font:clamp(16px,15px + .3vw,19px)/1.6 "Helvetica Neue",Helvetica,"Nimbus Sans",Arial,sans-serif;padding:0 clamp(20px,3.2vw,56px)}
body>header{padding:clamp(20px,3.2vw,48px) 0 8px}
.site{padding:8px 0;font-weight:700;letter-spacing:-.01em;font-size:1.05em}
.site img{display:none}
.site::after{content:"";width:.5em;height:.5em;margin-inline-start:.3em;background:var(--accent);border-radius:50%;align-self:flex-end;margin-bottom:.42em}
nav ul{gap:0 20px}
nav a{padding:8px 0;color:var(--soft)}
nav a:hover{color:var(--ink)}
nav [aria-current]{color:var(--ink);text-decoration:underline;text-decoration-color:var(--accent);text-decoration-thickness:3px;text-underline-offset:.35em}
main{padding:clamp(32px,6vh,72px) 0 clamp(64px,10vh,128px);min-height:70vh}
main>*{max-width:38rem}
h1{max-width:none;margin:0 0 .5em;font-size:clamp(44px,22px + 6.4vw,136px);line-height:.94;letter-spacing:-.05em;font-weight:700;margin-inline-start:-.04em}
h1+p{font-size:clamp(20px,17px + 1vw,30px);line-height:1.35;letter-spacing:-.012em;max-width:30em;margin-bottom:2em}
h2{margin:2.4em 0 .7em;padding-top:14px;border-top:3px solid var(--ink);max-width:none;font-size:clamp(22px,18px + 1vw,32px);line-height:1.15;letter-spacing:-.025em;font-weight:700}
h3{margin:2em 0 .4em;font-size:1.1em;line-height:1.3;font-weight:700}
h4,h5,h6{margin:1.6em 0 .3em;font-size:.9em;font-weight:700;color:var(--soft)}
p,ul,ol,pre,.table{margin:0 0 1.1em}
ul,ol{padding-inline-start:1.2em}
ul{list-style:"— "}
li{margin:.3em 0}
li::marker{color:var(--accent)}
a{text-decoration-thickness:2px;text-decoration-color:var(--accent);color:var(--ink)}
a:hover{background:var(--accent);color:var(--on-accent);text-decoration-color:transparent}
nav a:hover,.site:hover{background:none;color:var(--ink)}
.button{padding:14px 22px;background:var(--ink);color:var(--paper);font-weight:700}
blockquote{margin:2.4em 0;max-width:26em;font-size:clamp(22px,18px + 1.4vw,36px);line-height:1.22;letter-spacing:-.02em;font-weight:700}
blockquote p{margin:0}
hr{margin:3em 0;max-width:none}
figure,.gallery{max-width:none;margin:clamp(24px,3.2vw,56px) 0}
main>figure>img{width:100%}
figcaption{display:flex;gap:.6em;font-size:.78em}
figcaption::before{content:"";flex:none;width:.5em;height:.5em;margin-top:.48em;background:var(--accent)}
.gallery{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:clamp(16px,1.8vw,32px)}
.gallery figure{margin:0}
.gallery img{width:100%;aspect-ratio:1;object-fit:cover}
.gallery figure:first-child:nth-last-child(odd){grid-column:1/-1}
.gallery figure:first-child:nth-last-child(odd) img{aspect-ratio:16/9}
pre{border:1px solid var(--line);background:none}
body>footer{padding:20px 0 40px;border-top:1px solid var(--line);color:var(--soft);font-size:.8em}
@media (min-width:64rem){
body{display:grid;grid-template:auto 1fr auto/15rem 1fr;column-gap:clamp(24px,3.2vw,56px)}
body>header{grid-row:1/span 2;position:sticky;top:0;align-self:start;padding-top:clamp(28px,3.2vw,48px)}
nav ul{flex-direction:column;margin-top:28px}
nav a{padding:5px 0}
main{grid-column:2;grid-row:1/span 2;padding-top:clamp(20px,2.4vw,36px);min-width:0}
body>footer{grid-column:1/-1}
}
@media print{body{display:block}h1{font-size:40px}}
`,
}
