import { createHash } from 'node:crypto'
import { escapeHtml } from './html.ts'
import type { Language } from './language.ts'

/** The style of message pages, to which the editor adds its own. */
export const style = `
:root { color-scheme: light dark; --paper: #fcfcfb; --ink: #1c1c1a; --soft: #62625d; --line: #e5e5e1; --field: #fff; --edge: #8b8b85; --accent: #2f5bd8; --accent-strong: #2449b3; --on-accent: #fff; --bad: #b3261e; --bad-paper: #fdf1f0; --good: #1d6b3c; --good-paper: #eef7f1 }
@media (prefers-color-scheme: dark) { :root { --paper: #141413; --ink: #ececea; --soft: #a1a19b; --line: #2b2b29; --field: #1b1b1a; --edge: #767670; --accent: #8fabff; --accent-strong: #adc1ff; --on-accent: #101626; --bad: #ff9d94; --bad-paper: #2b1816; --good: #86d6a5; --good-paper: #14231a } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; padding: 0 max(24px, calc((100vw - 640px) / 2)); background: var(--paper); color: var(--ink); font: 17px/1.65 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 32px 0; font-size: 15px }
.site { display: flex; align-items: center; gap: 12px; flex: 1 1 auto; min-width: 0; font-weight: 600; letter-spacing: -.005em }
header img { display: block; width: 28px; height: 28px; flex: none }
main { flex: 1; padding: clamp(32px, 12vh, 128px) 0 64px }
h1 { margin: 0 0 24px; font-size: clamp(32px, 7vw, 52px); line-height: 1.08; letter-spacing: -.03em; font-weight: 650; text-wrap: balance }
h2 { margin: 40px 0 12px; font-size: 17px; line-height: 1.4 }
p { margin: 0 0 1em; max-width: 60ch; text-wrap: pretty }
.lead { font-size: 19px; color: var(--soft) }
footer { padding: 24px 0 32px; border-top: 1px solid var(--line); color: var(--soft); font-size: 14px }
a { color: var(--accent); text-underline-offset: 3px }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px }
.field { margin: 0 0 24px }
label { display: block; margin: 0 0 4px; font-size: 15px; font-weight: 600 }
input, textarea, select { display: block; width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--field); color: inherit; font: inherit }
textarea { min-height: 160px; resize: vertical }
[readonly] { border-style: dashed; background: none; color: var(--soft) }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 20px }
.button, button { display: inline-block; min-height: 44px; padding: 8px 20px; border: 1px solid transparent; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; line-height: 26px; text-decoration: none; cursor: pointer }
.button:hover, button:hover { background: var(--accent-strong) }
.notice { margin: 0 0 24px; padding: 12px 16px; border: 1px solid; border-radius: 8px; max-width: none; font-size: 15px; line-height: 1.5 }
.good { color: var(--good); background: var(--good-paper) }
.bad { color: var(--bad); background: var(--bad-paper) }
@media (forced-colors: active) { .button { border-color: ButtonText } }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Allows the inline style, and images and forms of the site. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

type Page = {
  language: Language
  siteName: string
  title: string
  /** HTML, already escaped. */
  main: string
  /** HTML, already escaped. */
  footer: string
}

/** The HTML document of a page. */
export const renderPage = ({
  language,
  siteName,
  title,
  main,
  footer,
}: Page): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<header><div class="site"><img src="/favicon.svg" alt="" width="28" height="28"><span>${escapeHtml(siteName)}</span></div></header>
<main>
${main}
</main>
<footer>${footer}</footer>
</body>
</html>
`
