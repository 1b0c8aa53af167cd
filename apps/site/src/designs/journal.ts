import type { Design } from './design.ts'

/** For a personal website: a serif, one column, wide margins. */
export const journal: Design = {
  light: { paper: '#fbf8f2', ink: '#26221c', soft: '#6d6558', line: '#e6dfd2' },
  dark: { paper: '#191714', ink: '#ece6da', soft: '#a99f8e', line: '#37322a' },
  style: `
body{font:clamp(18px,16.6px + .4vw,21px)/1.7 "Iowan Old Style","Palatino Linotype",Palatino,Charter,"Bitstream Charter",Georgia,serif;font-kerning:normal;padding:0 24px}
body>header{max-width:62rem;margin:0 auto;padding:40px 0 0;text-align:center}
.site{font-style:italic;font-size:1.12em;padding:8px 0}
.site img{display:none}
nav ul{justify-content:center;gap:0 28px;margin-top:8px}
nav{font-size:.84em;border-block:1px solid var(--line);margin-top:20px}
nav ul{margin:0}
nav a{color:var(--soft)}
nav a:hover{color:var(--ink)}
nav [aria-current]{color:var(--accent)}
main{max-width:35rem;margin:clamp(56px,10vh,112px) auto;min-height:40vh}
h1{margin:0 0 1em;font-size:clamp(36px,26px + 3vw,60px);line-height:1.1;letter-spacing:-.018em;text-align:center}
h2{margin:2.4em 0 .6em;font-size:1.42em;line-height:1.25}
h3{margin:2em 0 .4em;font-size:1.1em;font-style:italic;line-height:1.35}
h4,h5,h6{margin:1.8em 0 .3em;font-size:1em;font-style:italic;color:var(--soft)}
p,ul,ol,pre,.table{margin:0 0 1.15em}
h1+p::first-letter{float:inline-start;font-size:3.42em;line-height:.82;padding:.07em .09em 0 0;color:var(--accent)}
.message h1+p::first-letter{all:unset}
ul,ol{padding-inline-start:1.3em}
li::marker{color:var(--accent)}
li{margin:.3em 0}
blockquote{margin:2em 0;padding:0 0 0 1.4em;border-inline-start:2px solid var(--accent);font-style:italic;font-size:1.08em}
blockquote p:last-child{margin:0}
hr{border:0;margin:3em 0;text-align:center;color:var(--accent);height:1em}
hr::before{content:"✻  ✻  ✻";letter-spacing:.5em;margin-inline-end:-.5em;font-size:.7em}
figure,.gallery{margin:2.2em 0}
figure img{margin:0 auto}
figcaption{text-align:center;font-style:italic}
.gallery{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(13rem,100%),1fr));gap:20px}
.gallery figure{margin:0}
.gallery img{width:100%;aspect-ratio:4/5;object-fit:cover}
.button{border-radius:99px;padding:10px 28px;font-style:italic;font-weight:400}
pre{border-radius:4px}
body>footer{max-width:62rem;margin:0 auto;padding:28px 0 40px;border-top:1px solid var(--line);color:var(--soft);font-size:.78em;font-style:italic;text-align:center}
@media (min-width:60rem){main>figure{margin-inline:-5.5rem}main>.gallery{margin-inline:-8rem}}
`,
}
