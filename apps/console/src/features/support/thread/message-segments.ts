/** A part of a message from its `start` on: plain text, or text that leads somewhere. */
export type Segment = { start: number; text: string; href?: string }

/**
 * Where a link may be: what names a scheme that runs nothing, reads no files and opens no programs, up to
 * white space, quotes and angle brackets (RFC 3986, appendix C); and addresses of mail. Each begins where no
 * word goes on, so that a long text is read once. A library for this takes more time to load than the rest
 * of the page: see docs/performance.md.
 */
const candidates =
  /(?<![\p{L}\p{N}])(?:https?:\/\/|mailto:)[^\s<>"“”„«»’`]+|(?<![\p{L}\p{N}!#$%&'*+/=?^_{|}~.-])[a-z0-9][a-z0-9.!#$%&'*+/=?^_{|}~-]{0,63}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}(?![\p{L}\p{N}@-])/giu

const opened: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

const count = (text: string, sign: string | undefined) => (sign ? text.split(sign).length - 1 : 0)

/**
 * A link without the punctuation of the sentence around it, nor the ending that Turkish adds to a name
 * after an apostrophe; a bracket stays when it is opened in the link.
 */
function withoutPunctuation(given: string): string {
  const text = given.replace(/'\p{Ll}{1,8}[^\p{L}\p{N}]*$/u, '')
  let end = text.length
  const surplus: Record<string, number> = {}
  for (const [closing, opening] of Object.entries(opened))
    surplus[closing] = count(text, closing) - count(text, opening)
  for (; end > 0; end--) {
    const last = text[end - 1] ?? ''
    const over = surplus[last]
    if (over === undefined ? !/[.,;:!?'‘…*_~]/.test(last) : over <= 0) break
    if (over !== undefined) surplus[last] = over - 1
  }
  return text.slice(0, end)
}

function addressOf(text: string) {
  const address = /^(?:https?|mailto):/i.test(text) ? text : `mailto:${text}`
  return URL.canParse(address) ? new URL(address).href : undefined
}

/** A message in parts, in their order: the links in it, and the text between them. Joined they are the message. */
export function segmentsOf(message: string): Segment[] {
  const segments: Segment[] = []
  let end = 0
  for (const { index, 0: found } of message.matchAll(candidates)) {
    const text = withoutPunctuation(found)
    const href = addressOf(text)
    if (!href || /^mailto:$/i.test(text)) continue
    if (index > end) segments.push({ start: end, text: message.slice(end, index) })
    segments.push({ start: index, text, href })
    end = index + text.length
  }
  if (end < message.length) segments.push({ start: end, text: message.slice(end) })
  return segments
}
