import { LinkifyIt } from 'linkify-it'

/** A part of a message from its `start` on: plain text, or text that leads somewhere. */
export type Segment = { start: number; text: string; href?: string }

/** The only places a message may lead to: nothing that runs, reads files or opens programs. */
const schemes = ['http:', 'https:', 'mailto:']

// Only what names its scheme is a link: readme.md and main.rs would be addresses, too. A link is never
// made of `//host`, which takes the scheme of this page.
const linkify = new LinkifyIt({ maxLength: 2000 }).add('ftp:', null).add('//', null)

function safeAddress(address: string) {
  if (!URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return schemes.includes(protocol) ? href : undefined
}

/** A message in parts, in their order: the links in it, and the text between them. Joined they are the message. */
export function segmentsOf(message: string): Segment[] {
  const segments: Segment[] = []
  let end = 0
  for (const { index, lastIndex, url } of linkify.match(message) ?? []) {
    const href = safeAddress(url)
    if (!href) continue
    if (index > end) segments.push({ start: end, text: message.slice(end, index) })
    segments.push({ start: index, text: message.slice(index, lastIndex), href })
    end = lastIndex
  }
  if (end < message.length) segments.push({ start: end, text: message.slice(end) })
  return segments
}
