import type { Palette } from './designs/palette.ts'
import { escapeHtml } from './html.ts'
import type { Language } from './language.ts'
import { renderPage } from './layout.ts'
import { type Message, phrases } from './phrases.ts'

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

/** The favicon: the first letter of the site's name on its accent color. */
export const icon = (siteName: string, { accent, onAccent }: Palette): string => {
  const letter = [...siteName.trim()][0]?.toLocaleUpperCase() ?? '·'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><text x="16" y="22" text-anchor="middle" font-family="system-ui, sans-serif" font-size="17" font-weight="600" fill="${onAccent}">${escapeHtml(letter)}</text></svg>\n`
}
