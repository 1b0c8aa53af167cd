/** A part of a message that begins at `start`: plain text, or a link if it has an `href`. */
export type Segment = { start: number; text: string; href?: string }

/**
 * Possible links: http, https and mailto URLs up to white space, quotes or angle brackets (RFC
 * 3986, appendix C), and email addresses. Each starts at a word boundary, so that a long text is
 * scanned once. A library for this loads longer than the rest of the page: see
 * docs/performance.md.
 */
const linkPattern =
  /(?<![\p{L}\p{N}])(?:https?:\/\/|mailto:)[^\s<>"“”„«»’`]+|(?<![\p{L}\p{N}!#$%&'*+/=?^_{|}~.-])[a-z0-9][a-z0-9.!#$%&'*+/=?^_{|}~-]{0,63}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}(?![\p{L}\p{N}@-])/giu

const openingBrackets: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

const count = (text: string, sign: string | undefined) => (sign ? text.split(sign).length - 1 : 0)

/**
 * Removes surrounding punctuation and Turkish suffixes after an apostrophe; a closing bracket
 * stays if it was opened in the link.
 */
function withoutPunctuation(candidate: string): string {
  const text = candidate.replace(/'\p{Ll}{1,8}[^\p{L}\p{N}]*$/u, '')
  let end = text.length
  const surplus: Record<string, number> = {}
  for (const [closing, opening] of Object.entries(openingBrackets))
    surplus[closing] = count(text, closing) - count(text, opening)
  for (; end > 0; end--) {
    const last = text[end - 1] ?? ''
    const over = surplus[last]
    if (over === undefined ? !/[.,;:!?'‘…*_~]/.test(last) : over <= 0) break
    if (over !== undefined) surplus[last] = over - 1
  }
  return text.slice(0, end)
}

function linkUrl(text: string) {
  const address = /^(?:https?|mailto):/i.test(text) ? text : `mailto:${text}`
  return URL.canParse(address) ? new URL(address).href : undefined
}

/** Splits a message into links and the text between them. Joined they are the message. */
export function splitSegments(message: string): Segment[] {
  const segments: Segment[] = []
  let end = 0
  for (const { index, 0: match } of message.matchAll(linkPattern)) {
    const text = withoutPunctuation(match)
    const href = linkUrl(text)
    if (!href || /^mailto:$/i.test(text)) continue
    if (index > end) segments.push({ start: end, text: message.slice(end, index) })
    segments.push({ start: index, text, href })
    end = index + text.length
  }
  if (end < message.length) segments.push({ start: end, text: message.slice(end) })
  return segments
}
