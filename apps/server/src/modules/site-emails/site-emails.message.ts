import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { isEmailAddress, lowercaseEmail } from '@slipway/contract/email'
import addressparser from 'nodemailer/lib/addressparser'

/** A header field (RFC 5322 §2.2). The value is as it was written, folding included. */
type Field = { name: string; value: string }

export type SiteMessage = { fields: readonly Field[]; body: Buffer }

/** A larger header is rejected before it is parsed, which would block the server. */
export const maxHeaderBytes = 16 * 1024

/**
 * The header fields that recipients get as the site wrote them. The service writes From, Reply-To,
 * Message-ID, X-Slipway-Site and a missing Date, and leaves out the others, such as Bcc and
 * Received.
 */
const forwardedFields = new Set([
  'subject',
  'date',
  'to',
  'cc',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'content-language',
  'in-reply-to',
  'references',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'auto-submitted',
  'precedence',
  'x-priority',
])

const [lineFeed, carriageReturn] = [10, 13]

/**
 * Ends each line with CRLF and leaves out NUL. A loop over the bytes: a regular expression takes
 * many times as long for megabytes of line feeds.
 */
function normalizeLines(email: Buffer): Buffer {
  const normalized = Buffer.allocUnsafe(2 * email.length)
  let length = 0
  let previous = 0
  for (let index = 0; index < email.length; index++) {
    const byte = email[index] ?? 0
    if (byte === 0) continue
    if (byte !== lineFeed && byte !== carriageReturn) normalized[length++] = byte
    else if (byte === carriageReturn || previous !== carriageReturn) {
      normalized[length++] = carriageReturn
      normalized[length++] = lineFeed
    }
    previous = byte
  }
  return normalized.subarray(0, length)
}

/**
 * Parses a program's input to `sendmail`; null if its header is larger than `maxHeaderBytes`.
 * Decodes the header as Latin-1, which maps each byte to one character, so every byte survives.
 */
export function readMessage(email: Buffer): SiteMessage | null {
  const lines = normalizeLines(email)
  const end = lines.indexOf('\r\n\r\n')
  const header = end === -1 ? lines : lines.subarray(0, end)
  if (header.length > maxHeaderBytes) return null
  const fields = header
    .toString('latin1')
    // A line that begins with a blank continues the previous one.
    .split(/\r\n(?![ \t])/)
    .flatMap((line) => {
      const [, name, value] = /^([!-9;-~]{1,76}):([\s\S]*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [{ name, value }]
    })
  return { fields, body: end === -1 ? Buffer.alloc(0) : lines.subarray(end + 4) }
}

const valuesOf = ({ fields }: SiteMessage, lowerCaseName: string) =>
  fields.filter(({ name }) => name.toLowerCase() === lowerCaseName).map(({ value }) => value)

/** The text of a field: unfolded, and its bytes read as UTF-8 (RFC 6532 §3.2). */
const textOf = (value: string) =>
  Buffer.from(value.replace(/\r\n/g, '').trim(), 'latin1').toString('utf8')

const addressesIn = (message: SiteMessage, name: string): string[] =>
  valuesOf(message, name)
    .flatMap((value) => addressparser(textOf(value), { flatten: true }))
    .map(({ address, name: word }) => {
      // addressparser returns a word without @ as a name.
      if (address === '') return word
      const [local = '', domain = '', ...rest] = address.split('@')
      return lowercaseEmail([local, domainToASCII(domain), ...rest].join('@'))
    })

export function recipientsOf(message: SiteMessage): { valid: string[]; invalid: string[] } {
  const all = [...new Set(['to', 'cc', 'bcc'].flatMap((name) => addressesIn(message, name)))]
  return { valid: all.filter(isEmailAddress), invalid: all.filter((text) => !isEmailAddress(text)) }
}

/** The subject, for operators. */
export const subjectOf = (message: SiteMessage): string =>
  textOf(valuesOf(message, 'subject')[0] ?? '').slice(0, 300)

/** 56 characters in base64: a line `From: =?UTF-8?B?…?=` has 74 of at most 76 (RFC 2047 §2). */
const maxWordBytes = 42

/** A name as encoded words, one in each line. */
function encodeName(name: string): string {
  const words = ['']
  for (const character of name.replace(/\p{Cc}/gu, ' ')) {
    const last = words.at(-1) ?? ''
    if (Buffer.byteLength(last + character) <= maxWordBytes)
      words[words.length - 1] = last + character
    else words.push(character)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

/**
 * The message as it is sent. Its sender is always the address of the service with the name of the
 * site. Replies go to the site's Reply-To, or else to the sender that the site named.
 */
export function composeMessage(
  message: SiteMessage,
  site: { key: string; name: string; sender: string },
): Buffer {
  const replyTo = ['reply-to', 'from']
    .map((name) => addressesIn(message, name).find(isEmailAddress))
    .find((address) => address !== undefined)
  const domain = site.sender.split('@').at(-1)
  const ownFields: Field[] = [
    { name: 'From', value: ` ${encodeName(site.name)}\r\n <${site.sender}>` },
    ...(replyTo === undefined ? [] : [{ name: 'Reply-To', value: ` ${replyTo}` }]),
    { name: 'Message-ID', value: ` <${randomUUID()}@${domain}>` },
    { name: 'X-Slipway-Site', value: ` ${site.key}` },
  ]
  const sitesFields = message.fields.filter(({ name }) => forwardedFields.has(name.toLowerCase()))
  const hasDate = sitesFields.some(({ name }) => name.toLowerCase() === 'date')
  const date = hasDate ? [] : [{ name: 'Date', value: ` ${new Date().toUTCString()}` }]
  const head = [...ownFields, ...date, ...sitesFields]
    .map(({ name, value }) => `${name}:${value}\r\n`)
    .join('')
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), message.body])
}
