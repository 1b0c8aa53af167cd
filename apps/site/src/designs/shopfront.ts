import type { Design } from './design.ts'

/** A small business: a band of color with what it is, then clear sections. */
export const shopfront: Design = {
  light: { paper: '#ffffff', ink: '#16191d', soft: '#59616b', line: '#e3e6ea' },
  dark: { paper: '#0f1215', ink: '#e9ecef', soft: '#9aa4af', line: '#2a3037' },
  style: `
body{--wide:min(68rem,100vw - 48px);font:clamp(16px,15.4px + .2vw,18px)/1.65 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body>header{width:var(--wide);margin:0 auto;padding:14px 0;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 32px}
.site{gap:12px;padding:8px 0;font-size:1.06em;font-weight:700;letter-spacing:-.01em}
.site img{width:36px;height:36px;background:none;border-radius:10px}
nav ul{gap:0 4px;margin:0 -14px}
nav a{padding:10px 14px;border-radius:99px;color:var(--ink);font-size:.94em;font-weight:500}
nav a:hover{background:var(--tint)}
nav [aria-current]{background:var(--tint);color:var(--accent)}
main{width:var(--wide);margin:0 auto;padding:0 0 clamp(56px,8vw,104px);min-height:50vh}
main>*{max-width:44rem}
h1,h1+p{max-width:none;margin:0;border-image:conic-gradient(var(--accent) 0 0) fill 0//0 100vw;color:var(--on-accent)}
h1{padding-block:clamp(56px,9vw,120px) clamp(48px,7vw,88px);padding-inline:0 max(0px,100% - 52rem);font-size:clamp(38px,24px + 4.2vw,76px);line-height:1.04;letter-spacing:-.035em;font-weight:750}
h1:has(+p){padding-bottom:24px}
h1+p{padding-block:0 clamp(56px,8vw,104px);padding-inline:0 max(0px,100% - 40rem);font-size:clamp(19px,17px + .6vw,24px);line-height:1.5}
h1+p a,h1+.action a{color:inherit}
h1 + p + *,h1+:not(p){margin-top:clamp(48px,6vw,80px)}
h2{margin:2.2em 0 .6em;font-size:clamp(26px,22px + 1.2vw,36px);line-height:1.15;letter-spacing:-.022em;font-weight:700}
h2::before{content:"";display:block;width:44px;height:5px;margin-bottom:20px;border-radius:9px;background:var(--accent)}
h3{margin:1.8em 0 .3em;font-size:1.2em;line-height:1.3;font-weight:700}
h4,h5,h6{margin:1.6em 0 .3em;font-size:1em;font-weight:700;color:var(--soft)}
p,ul,ol,pre,.table{margin:0 0 1.1em}
ul,ol{padding-inline-start:1.5em}
li{margin:.45em 0;padding-inline-start:.2em}
main ul li::marker{color:var(--accent);content:"✓  ";font-weight:700}
main ol li::marker{color:var(--accent);font-weight:700}
blockquote{margin:2.4em 0;padding:28px 32px;border-radius:20px;background:var(--tint);font-size:1.1em}
blockquote p:last-child{margin:0}
hr{margin:clamp(40px,5vw,72px) 0;max-width:none}
figure{margin:2.4em 0}
.gallery{max-width:none;margin:2.4em 0;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));gap:20px}
.gallery figure{margin:0}
figure img{border-radius:20px}
.gallery img{width:100%;aspect-ratio:4/3;object-fit:cover}
table{width:100%}
pre{border-radius:14px}
.button{border-radius:99px;padding:14px 28px}
h1+.action{max-width:none;border-image:conic-gradient(var(--accent) 0 0) fill 0//0 100vw}
h1+.action .button,h1+p+.action .button{background:var(--ink);color:var(--paper)}
h1+.action .button{background:var(--on-accent);color:var(--accent)}
h1+p+.action{max-width:none;margin:0 0 clamp(48px,6vw,80px);padding-bottom:clamp(48px,7vw,88px);border-image:conic-gradient(var(--accent) 0 0) fill 0//0 100vw}
h1+p:has(+.action){padding-bottom:28px}
h1+p+.action .button{background:var(--on-accent);color:var(--accent)}
h1+p+.action .button:focus-visible,h1+.action .button:focus-visible,h1+p a:focus-visible{outline-color:var(--on-accent)}
body>footer{border-image:conic-gradient(var(--tint) 0 0) fill 0//0 100vw;width:var(--wide);margin:0 auto;padding:36px 0 48px;color:var(--soft);font-size:.88em}
@media print{h1,h1+p{border-image:none;color:inherit;padding:0 0 16px}}
`,
}
