import { createHash } from 'node:crypto'
import { editorPath } from './cookies.ts'
import { editorStyle } from './editor-style.ts'
import { escapeHtml } from './html.ts'
import type { Language } from './language.ts'
import { style } from './layout.ts'
import { phrases } from './phrases.ts'
import { scriptAddress } from './scripts.ts'
import type { OpenSession } from './sessions.ts'

export const signOutPath = `${editorPath}/sign-out`

const css = style + editorStyle
const cssHash = createHash('sha256').update(css).digest('base64')

/** Allows the inline style, the editor's script, and requests, pictures and frames of the site. */
export const editorPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${cssHash}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The paths of the editor's sections. */
export const sectionPaths = {
  pages: `${editorPath}/pages`,
  pictures: `${editorPath}/pictures`,
  design: `${editorPath}/design`,
} as const

export const picturesUploadPath = `${sectionPaths.pictures}/upload`

const account = (language: Language, { name, email, subject, formToken }: OpenSession) => {
  const phrase = phrases[language]
  return `
<div class="account"><span>${escapeHtml(phrase.signedInAs(name ?? email ?? subject))}</span>
<form method="post" action="${signOutPath}"><input type="hidden" name="form_token" value="${formToken}"><button>${escapeHtml(phrase.signOut)}</button></form></div>`
}

const tabs = (language: Language, current: keyof typeof sectionPaths) => {
  const phrase = phrases[language]
  const items = Object.entries(sectionPaths).map(([section, path]) => {
    const mark = section === current ? ' aria-current="true"' : ''
    const label = phrase[section as keyof typeof sectionPaths]
    return `<li><a href="${path}"${mark}>${escapeHtml(label)}</a></li>`
  })
  return `<nav aria-label="${escapeHtml(phrase.sections)}"><ul class="tabs">${items.join('')}<li class="visit"><a href="/">${escapeHtml(phrase.viewSite)}</a></li></ul></nav>`
}

type EditorPage = {
  language: Language
  siteName: string
  session: OpenSession
  section: keyof typeof sectionPaths
  heading: string
  /** HTML, already escaped. */
  main: string
}

/** The HTML document of a page of the editor. It works without its script. */
export const renderEditorPage = ({
  language,
  siteName,
  session,
  section,
  heading,
  main,
}: EditorPage): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${heading} · ${siteName}`)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${css}</style>
<script type="module" src="${scriptAddress}"></script>
</head>
<body>
<header><div class="site"><img src="/favicon.svg" alt="" width="28" height="28"><span>${escapeHtml(siteName)}</span></div>${account(language, session)}</header>
${tabs(language, section)}
<main>
<h1>${escapeHtml(heading)}</h1>
${main}
</main>
<footer>${escapeHtml(siteName)}</footer>
</body>
</html>
`

/** A notice above the content of a page. */
export const noticeHtml = (kind: 'good' | 'bad', text: string): string =>
  `<p class="notice ${kind}" role="${kind === 'good' ? 'status' : 'alert'}">${escapeHtml(text)}</p>\n`

export const hiddenField = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
