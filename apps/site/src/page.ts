import type { Content } from './content.ts'
import { formatDate, type Language } from './language.ts'
import { escapeHtml, renderPage } from './layout.ts'
import type { PageInput } from './page-form.ts'
import { type Message, phrases } from './phrases.ts'

const paragraphs = (text: string): string =>
  text
    .split(/\r?\n\s*\r?\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n')

/** The saved content, or a welcome text in the visitor's language before the first save. */
export const shownContent = (language: Language, { title, text }: Content): PageInput => {
  const { welcome } = phrases[language]
  return { title: title ?? welcome.title, text: text ?? welcome.text }
}

export const homePage = (language: Language, siteName: string, content: Content): string => {
  const phrase = phrases[language]
  const shown = shownContent(language, content)
  const text =
    content.text === null ? `<p class="lead">${escapeHtml(shown.text)}</p>` : paragraphs(shown.text)
  return renderPage({
    language,
    siteName,
    title: content.title === null ? siteName : `${content.title} · ${siteName}`,
    main: `<h1>${escapeHtml(shown.title)}</h1>\n${text}`,
    footer: escapeHtml(phrase.since(formatDate(language, content.createdAt))),
  })
}

/** A page with a message and a link, to the home page by default. */
export const messagePage = (
  language: Language,
  siteName: string,
  { title, text }: Message,
  nextLink: { href: string; label: string } = { href: '/', label: phrases[language].home },
): string =>
  renderPage({
    language,
    siteName,
    title: `${title} · ${siteName}`,
    main: `<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(text)}</p>
<p><a href="${escapeHtml(nextLink.href)}">${escapeHtml(nextLink.label)}</a></p>`,
    footer: escapeHtml(siteName),
  })

/** The favicon: the first letter of the site's name. */
export const icon = (siteName: string): string => {
  const letter = [...siteName.trim()][0]?.toLocaleUpperCase() ?? '·'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f5bd8"/><text x="16" y="22" text-anchor="middle" font-family="system-ui, sans-serif" font-size="17" font-weight="600" fill="#fff">${escapeHtml(letter)}</text></svg>\n`
}
