import type { Content } from './content.ts'
import { lookStyle } from './designs/designs.ts'
import { escapeHtml } from './html.ts'
import { formatDate, type Language } from './language.ts'
import { describeMarkdown, renderMarkdown } from './markdown.ts'
import { phrases } from './phrases.ts'
import { findPicture } from './picture-address.ts'
import { directionOf } from './site-language.ts'
import type { StoredPage, Website } from './website.ts'

/** The content of every public page. */
export type PublicPage = {
  /** The language of the site's own texts, such as the footer. */
  language: Language
  /** The language of the editors' texts (BCP 47). */
  writtenIn: string
  siteName: string
  website: Website
  createdAt: string
  /** The scheme and host; null when the request names none. */
  origin: string | null
  /** The path; null on a page without an address, such as an error. */
  path: string | null
  /** The page's title; null for the site's name alone. */
  title: string | null
  /** HTML. */
  main: string
  description: string
}

/** A page as an editor has written it. */
export type WrittenPage = { title: string; text: string }

const rendered = new WeakMap<Website, Map<string, string>>()
// More than the pages of a site; the rest are previews.
const maxRendered = 20

/** The HTML of a text, stored while the website and its pictures stay the same. */
const renderText = (website: Website, text: string): string => {
  const cachedTexts = rendered.get(website) ?? new Map<string, string>()
  rendered.set(website, cachedTexts)
  const html = cachedTexts.get(text) ?? renderMarkdown(text, findPicture(website))
  cachedTexts.delete(text)
  cachedTexts.set(text, html)
  const [oldest] = cachedTexts.keys()
  if (cachedTexts.size > maxRendered && oldest !== undefined) cachedTexts.delete(oldest)
  return html
}

const menu = (language: Language, { pages }: Website, path: string | null): string => {
  const shown = pages.filter(({ inMenu }) => inMenu)
  if (shown.length === 0) return ''
  const items = shown.map(({ slug, title }) => {
    const current = path === `/${slug}` ? ' aria-current="page"' : ''
    return `<li><a href="/${slug}"${current}>${escapeHtml(title)}</a></li>`
  })
  return `\n<nav aria-label="${escapeHtml(phrases[language].menu)}"><ul>${items.join('')}</ul></nav>`
}

const firstPicture = (main: string): string | undefined => /<img src="([^"]+)"/.exec(main)?.[1]

const openGraph = ({ siteName, origin, path, title, main, description }: PublicPage): string => {
  if (origin === null || path === null) return ''
  const picture = firstPicture(main)
  const properties = [
    ['og:title', title ?? siteName],
    ['og:site_name', siteName],
    ['og:type', 'website'],
    ['og:url', origin + path],
    ...(description ? [['og:description', description]] : []),
    ...(picture ? [['og:image', origin + picture]] : []),
  ]
  return `<link rel="canonical" href="${escapeHtml(origin + path)}">
${properties.map(([name = '', content = '']) => `<meta property="${name}" content="${escapeHtml(content)}">`).join('\n')}\n`
}

const descriptionTag = ({ description }: PublicPage): string =>
  description ? `<meta name="description" content="${escapeHtml(description)}">\n` : ''

/** The document of a public page in the site's design. It has no script. */
const renderPublicPage = (page: PublicPage): string => {
  const { language, writtenIn, siteName, website, createdAt, path, title, main } = page
  const phrase = phrases[language]
  const { css, light, dark } = lookStyle(website.look)
  const isHome = path === '/' ? ' aria-current="page"' : ''
  // Marks the parts in another language than the page's.
  const lang = language === writtenIn ? '' : ` lang="${language}" dir="${directionOf(language)}"`
  return `<!doctype html>
<html lang="${writtenIn}" dir="${directionOf(writtenIn)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === null ? siteName : `${title} · ${siteName}`)}</title>
${descriptionTag(page)}${openGraph(page)}<meta name="theme-color" content="${light.paper}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${dark.paper}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main"${lang}>${escapeHtml(phrase.skip)}</a>
<header><a class="site" href="/"${isHome}><img src="/favicon.svg" alt="" width="28" height="28"><span>${escapeHtml(siteName)}</span></a>${menu(language, website, path)}</header>
<main id="main"${path === null ? ' class="message"' : ''}>
${main}
</main>
<footer${lang}>${escapeHtml(phrase.since(formatDate(language, createdAt)))}</footer>
</body>
</html>
`
}

type SharedFields = Pick<
  PublicPage,
  'language' | 'siteName' | 'website' | 'createdAt' | 'origin'
> & {
  visitorLanguage: Language
}

/** The saved content, or a welcome text in the visitor's language before the first save. */
export const shownContent = (language: Language, { title, text }: Content): WrittenPage => {
  const { welcome } = phrases[language]
  return { title: title ?? welcome.title, text: text ?? welcome.text }
}

const pageWith = (shared: SharedFields, path: string, { title, text }: WrittenPage): string =>
  renderPublicPage({
    ...shared,
    writtenIn: shared.website.language ?? shared.visitorLanguage,
    path,
    title,
    main: `<h1>${escapeHtml(title)}</h1>\n${renderText(shared.website, text)}`,
    description: describeMarkdown(text),
  })

/** Nothing is written yet: the welcome text is in the visitor's language. */
const welcomePage = (shared: SharedFields): string => {
  const language = shared.visitorLanguage
  const { title, text } = phrases[language].welcome
  return renderPublicPage({
    ...shared,
    language,
    writtenIn: language,
    path: '/',
    title: null,
    main: `<h1>${escapeHtml(title)}</h1>\n<p class="lead">${escapeHtml(text)}</p>`,
    description: text,
  })
}

export const homePage = (shared: SharedFields, content: Content): string =>
  content.title === null
    ? welcomePage(shared)
    : pageWith(shared, '/', shownContent(shared.visitorLanguage, content))

export const subPage = (shared: SharedFields, page: StoredPage): string =>
  pageWith(shared, `/${page.slug}`, page)

/** A preview of a page, for its editor. */
export const previewPage = (shared: SharedFields, path: string, written: WrittenPage): string =>
  pageWith({ ...shared, origin: null }, path, written)

/** The page for an unknown address. */
export const notFoundPage = (shared: SharedFields): string => {
  const { notFound, home } = phrases[shared.language]
  return renderPublicPage({
    ...shared,
    writtenIn: shared.language,
    origin: null,
    path: null,
    title: notFound.title,
    main: `<h1>${escapeHtml(notFound.title)}</h1>
<p class="lead">${escapeHtml(notFound.text)}</p>
<p><a href="/">${escapeHtml(home)}</a></p>`,
    description: '',
  })
}
