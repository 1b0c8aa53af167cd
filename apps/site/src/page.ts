import { createHash } from 'node:crypto'
import type { Content } from './content.ts'
import { formatDate, type Language, phrases } from './language.ts'

const style = `
:root { color-scheme: light dark; --paper: #fcfcfb; --ink: #1c1c1a; --soft: #62625d; --line: #e5e5e1; --accent: #2f5bd8 }
@media (prefers-color-scheme: dark) { :root { --paper: #141413; --ink: #ececea; --soft: #a1a19b; --line: #2b2b29; --accent: #8fabff } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; padding: 0 max(24px, calc((100vw - 640px) / 2)); background: var(--paper); color: var(--ink); font: 17px/1.65 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
header { display: flex; align-items: center; gap: 12px; padding: 32px 0; font-size: 15px; font-weight: 600; letter-spacing: -.005em }
header img { display: block; width: 28px; height: 28px; flex: none }
main { flex: 1; padding: clamp(32px, 12vh, 128px) 0 64px }
h1 { margin: 0 0 24px; font-size: clamp(32px, 7vw, 52px); line-height: 1.08; letter-spacing: -.03em; font-weight: 650; text-wrap: balance }
p { margin: 0 0 1em; max-width: 60ch; text-wrap: pretty }
.lead { font-size: 19px; color: var(--soft) }
footer { padding: 24px 0 32px; border-top: 1px solid var(--line); color: var(--soft); font-size: 14px }
a { color: var(--accent); text-underline-offset: 3px }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Only the page's own style and images from the site itself; no script, no frame, nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

type Page = {
  language: Language
  siteName: string
  title: string
  /** HTML, already escaped. */
  main: string
  /** HTML, already escaped. */
  footer: string
}

const render = ({ language, siteName, title, main, footer }: Page): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<header><img src="/favicon.svg" alt="" width="28" height="28"><span>${escapeHtml(siteName)}</span></header>
<main>
${main}
</main>
<footer>${footer}</footer>
</body>
</html>
`

const paragraphs = (text: string): string =>
  text
    .split(/\r?\n\s*\r?\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n')

/** The home page: what the owners wrote, or a welcome in the visitor's language until they do. */
export const homePage = (language: Language, siteName: string, content: Content): string => {
  const phrase = phrases[language]
  const heading = content.title ?? phrase.welcomeTitle
  const text =
    content.text === null
      ? `<p class="lead">${escapeHtml(phrase.welcomeText)}</p>`
      : paragraphs(content.text)
  return render({
    language,
    siteName,
    title: content.title === null ? siteName : `${content.title} · ${siteName}`,
    main: `<h1>${escapeHtml(heading)}</h1>\n${text}`,
    footer: escapeHtml(phrase.since(formatDate(language, content.createdAt))),
  })
}

const messagePage = (
  language: Language,
  siteName: string,
  heading: string,
  text: string,
): string => {
  const home = `<a href="/">${escapeHtml(phrases[language].home)}</a>`
  return render({
    language,
    siteName,
    title: `${heading} · ${siteName}`,
    main: `<h1>${escapeHtml(heading)}</h1>\n<p class="lead">${escapeHtml(text)}</p>\n<p>${home}</p>`,
    footer: escapeHtml(siteName),
  })
}

export const notFoundPage = (language: Language, siteName: string): string =>
  messagePage(language, siteName, phrases[language].notFoundTitle, phrases[language].notFoundText)

export const notAllowedPage = (language: Language, siteName: string): string =>
  messagePage(
    language,
    siteName,
    phrases[language].notAllowedTitle,
    phrases[language].notAllowedText,
  )

/** The site's mark: the first letter of its name. */
export const icon = (siteName: string): string => {
  const letter = [...siteName.trim()][0]?.toLocaleUpperCase() ?? '·'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f5bd8"/><text x="16" y="22" text-anchor="middle" font-family="system-ui, sans-serif" font-size="17" font-weight="600" fill="#fff">${escapeHtml(letter)}</text></svg>\n`
}
