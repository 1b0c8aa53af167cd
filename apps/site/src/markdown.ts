import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml, unescapeHtml } from './html.ts'
import { type FindPicture, picturePath, type ShownPicture } from './picture-address.ts'

// The page's title is the only h1.
const firstLevel = 2
const lastLevel = 6
/** Deeper nesting could exhaust the parser's stack. */
const maxNesting = 16

const safeLink = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i
// Browsers ignore these characters in a scheme: `java\tscript:`.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected
const invisible = /[\u0000-\u0020\u007f\u00a0]/

const isSafe = (address: string) =>
  safeLink.test(address) && !invisible.test(address) && URL.canParse(address, 'https://site.test')

const image = (
  { alt, width, height, sources }: ShownPicture,
  altText: string,
  loading: 'eager' | 'lazy',
): string => {
  const largest = sources.at(-1)
  if (!largest) return ''
  const candidates = sources.map(({ address, width }) => `${address} ${width}w`).join(', ')
  return `<img src="${largest.address}" srcset="${candidates}" sizes="(max-width: ${width}px) 100vw, ${width}px" width="${width}" height="${height}" alt="${escapeHtml(altText || alt)}"${loading === 'lazy' ? ' loading="lazy" decoding="async"' : ''}>`
}

const isImage = (token: { type: string }): token is Tokens.Image => token.type === 'image'

const isBlank = (token: { type: string; raw: string }) =>
  token.type === 'br' || (token.type === 'text' && token.raw.trim() === '')

/** The link of a paragraph that is nothing but a bold link: it is shown as a button. */
const buttonOf = ([token, ...others]: Token[]): Tokens.Link | undefined => {
  if (others.length > 0 || token?.type !== 'strong' || token.tokens?.length !== 1) return undefined
  const [link] = token.tokens
  return link?.type === 'link' && isSafe(link.href) && link.text.trim() !== ''
    ? (link as Tokens.Link)
    : undefined
}

const createRenderer = (find: FindPicture) => {
  const findByAddress = (address: string) =>
    address.startsWith(picturePath) ? find(address.slice(picturePath.length)) : undefined
  let level = firstLevel - 1
  let pictures = 0
  // The first picture is often what a visitor sees first.
  const show = (picture: ShownPicture, altText: string) =>
    image(picture, altText, pictures++ === 0 ? 'eager' : 'lazy')

  const figure = (token: Tokens.Image): string => {
    const picture = findByAddress(token.href)
    if (!picture) return `<p>${escapeHtml(token.text)}</p>`
    const caption = token.title ? `<figcaption>${escapeHtml(token.title)}</figcaption>` : ''
    return `<figure>${show(picture, token.text)}${caption}</figure>`
  }

  const marked = new Marked({ gfm: true, breaks: true })
  marked.use({
    renderer: {
      html: (token) => {
        const text = escapeHtml(token.text.trim()).replaceAll('\n', '<br>')
        return 'block' in token && token.block ? `<p>${text}</p>\n` : escapeHtml(token.text)
      },
      heading({ tokens, depth }) {
        // No level is skipped (WCAG 2.2, technique G141).
        level = Math.min(Math.max(depth, firstLevel), level + 1, lastLevel)
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        if (!isSafe(href) || label.trim() === '') return label
        return `<a href="${escapeHtml(href)}">${label}</a>`
      },
      image({ href, text }) {
        const picture = findByAddress(href)
        return picture ? show(picture, text) : escapeHtml(text)
      },
      paragraph({ tokens }) {
        const shown = tokens.filter((token) => !isBlank(token))
        const button = buttonOf(shown)
        if (button)
          return `<p class="action"><a class="button" href="${escapeHtml(button.href)}">${this.parser.parseInline(button.tokens)}</a></p>\n`
        const images = shown.filter(isImage)
        if (images.length === 0 || images.length < shown.length)
          return `<p>${this.parser.parseInline(tokens)}</p>\n`
        const figures = images.map(figure).join('\n')
        return images.length === 1 ? `${figures}\n` : `<div class="gallery">\n${figures}\n</div>\n`
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], tag: 'td' | 'th scope="col"') =>
          row
            .map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.slice(0, 2)}>`)
            .join('')
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="table" tabindex="0"><table>\n<thead><tr>${cells(header, 'th scope="col"')}</tr></thead>\n<tbody>\n${body}\n</tbody></table></div>\n`
      },
    },
  })
  return marked
}

/** Markers of nested quotes and lists at the start of a line, more than any text needs. */
const deepMarkers = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){17,}/gm
const marks = /[!-/:-@[-`{-~]/g

/**
 * The parser needs quadratic time for emphasis within a paragraph, and for words without end. No
 * text of a person has as much of either.
 */
const isHostile = (paragraph: string): boolean =>
  /\S{1000}/.test(paragraph) || (paragraph.match(/[*_~]/g)?.length ?? 0) > 1000

/** Escapes text that would exhaust the parser's time or stack. */
const escapeHostile = (text: string): string =>
  text
    .replace(deepMarkers, (markers) =>
      markers.replace(marks, (mark, offset) => (offset < maxNesting ? mark : `\\${mark}`)),
    )
    .split(/(\n\s*\n)/)
    .map((paragraph) => (isHostile(paragraph) ? paragraph.replace(marks, '\\$&') : paragraph))
    .join('')

/**
 * The HTML of a Markdown text (GitHub's dialect; a line break is a break). HTML in it is shown as
 * text, links have safe schemes, pictures are the site's own, and no level of headings is skipped.
 */
export const renderMarkdown = (text: string, find: FindPicture): string =>
  createRenderer(find).parse(escapeHostile(text), { async: false }).trim()

const paragraphs = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n')

/** Markdown that looks like this plain text: escaped only if it would look different. */
export const plainTextToMarkdown = (text: string): string => {
  const isPlain = (markdown: string) =>
    renderMarkdown(markdown, () => undefined) === paragraphs(text)
  if (isPlain(text)) return text
  return text
    .replace(/[\\`*_[\]<>&~|#=+-]|(?<=\d)[.)]|(?<=\S)[:@.](?=\S)/g, '\\$&')
    .replace(/^[ \t]+/gm, '')
}

const descriptionLength = 155

/** The beginning of a text for search results, as plain text. */
export const describeMarkdown = (text: string): string => {
  const html = renderMarkdown(text, () => undefined)
  const first = /<p>(.*?)<\/p>/s.exec(html)?.[1] ?? ''
  const words = unescapeHtml(first.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
  if (words.length <= descriptionLength) return words
  return `${words.slice(0, descriptionLength).replace(/\s+\S*$/, '')}…`
}
