import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { isEmailAddress } from '@slipway/contract/email'
import type { Locale } from '@slipway/phrases'

/** A value from the text of a variable. Throws an Error that says what the text must be. */
export type Read<Value> = (text: string) => Value

const wholeNumberIn = (least: number, most: number, what: string) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) throw new Error(`must be ${what}`)
  return value
}

/** A TCP port that can be named; 0, any port, cannot be told to browsers. */
export const port = wholeNumberIn(1, 65_535, 'a port, 1 to 65535')

export const wholeNumber = (least: number) =>
  wholeNumberIn(least, Number.MAX_SAFE_INTEGER, `a whole number from ${least}`)

export const oneOf =
  <const Choice extends string>(...choices: Choice[]) =>
  (text: string): Choice => {
    const chosen = choices.find((choice) => choice === text)
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return chosen
  }

/** The items between commas, without those that are blank. */
const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Each item of a list read alike. */
export const listOf =
  <Value>(read: Read<Value>) =>
  (text: string) =>
    list(text).map(read)

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** True for a host name in lower case, of any number of labels whose last is not a number (RFC 1123 §2.1). */
const isHostName = (text: string) => {
  const labels = text.split('.')
  return (
    text.length <= 253 &&
    labels.every((part) => label.test(part)) &&
    /[a-z]/.test(labels.at(-1) ?? '')
  )
}

/** An address or a host name to listen on; an IPv6 address may stand in brackets, as in a URL. */
export function listeningHost(text: string) {
  const host = text.replace(/^\[(.+)\]$/, '$1')
  if (isIP(host) === 0 && !isHostName(host.toLowerCase()))
    throw new Error('must be an address to listen on, such as 127.0.0.1, 0.0.0.0 or ::')
  return host
}

// Before each domain stands a project's key, a label of up to 63 characters, and a dot.
const longestDomain = 253 - 64

/** The domain that host names are made under. */
export function domain(text: string) {
  if (!isHostName(text) || text.length > longestDomain)
    throw new Error(
      'must be a host name in lower case without scheme and port, such as sites.example.com',
    )
  return text
}

/** The origin of an http(s) address (RFC 6454 §6.2), so that two spellings of one compare as equal. */
export function origin(text: string) {
  const expected = new Error(
    'must be an address with http:// or https:// and without a path, such as https://www.example.com',
  )
  if (!/^https?:\/\/[^/?#\\@]+\/?$/i.test(text) || !URL.canParse(text)) throw expected
  const url = new URL(text)
  const isAddress = url.hostname.startsWith('[') || isIP(url.hostname) !== 0
  if (!isAddress && !isHostName(url.hostname)) throw expected
  return url.origin
}

/**
 * Regions as `id=Name`, comma-separated; `id=Name|Ad` names one in English and in Turkish. The id stands in
 * the host name of the region's gateway.
 */
export function regions(text: string) {
  const found = list(text).map((item) => {
    const [, id = '', name = ''] = /^([^=]*)=(.*)$/.exec(item)?.map((part) => part.trim()) ?? []
    const [en = '', tr = en, ...others] = name.split('|').map((part) => part.trim())
    const isNamed = en !== '' && tr !== '' && others.length === 0
    if (!/^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$/.test(id) || !isNamed)
      throw new Error(
        'must be a list of id=Name, or id=Name|Turkish name, each id of a-z, 0-9 and hyphens',
      )
    const names: Record<Locale, string> = { en, tr }
    return { id, names }
  })
  if (found.length === 0 || new Set(found.map((region) => region.id)).size !== found.length)
    throw new Error('must name at least one region and none twice')
  return found
}

/** An absolute path; `~` is the home folder, as a shell has it. */
export const path = (text: string) => resolve(text.replace(/^~(?=\/|$)/, () => homedir()))

const proxyGroups = ['loopback', 'linklocal', 'uniquelocal']

/** An address, a network (RFC 4632 §3.1) or a named group of networks that proxies are in. */
export function proxy(text: string) {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  const bits = prefix === undefined ? 1 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0
  const isNetwork = family !== 0 && bits >= 1 && bits <= (family === 6 ? 128 : 32)
  if (!proxyGroups.includes(text) && (!isNetwork || rest.length > 0))
    throw new Error('must be a list of addresses, such as 10.0.0.7, 10.0.0.0/8 or loopback')
  return text
}

/** The address of a name server, with a port or without; an IPv6 address that has one stands in brackets. */
export function nameServer(text: string) {
  const [, bracketed, bare = text, port = '53'] =
    /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const isAddress = bracketed === undefined ? isIP(bare) !== 0 : isIP(bracketed) === 6
  if (!isAddress || Number(port) < 1 || Number(port) > 65_535)
    throw new Error('must be a list of addresses, such as 1.1.1.1, 10.0.0.2:5353 or [::1]:53')
  return text
}

function serverUrl(text: string, schemes: string[], example: string) {
  if (!schemes.some((scheme) => text.startsWith(`${scheme}://`)))
    throw new Error(`must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
  if (!URL.canParse(text)) throw new Error(`must be an address such as ${example}`)
  return new URL(text)
}

/** The address of a PostgreSQL (PostgreSQL 18, §32.1.1.2); for a socket its host may be a parameter. */
export function databaseUrl(text: string) {
  const example = 'postgresql://user:password@host:5432/database'
  // With a user before it, URLs know no empty host; PostgreSQL's addresses do.
  const withHost = text.replace('@/', '@empty/')
  const url = serverUrl(withHost, ['postgresql', 'postgres'], example)
  const hasHost = url.hostname !== '' && withHost === text
  if (!hasHost && !url.searchParams.get('host')) throw new Error(`must name a host: ${example}`)
  return text
}

/** The address of a mail server, with its user and password. */
export function smtpUrl(text: string) {
  const example = 'smtps://user:password@mail.example.com'
  const { hostname, username, password } = serverUrl(text, ['smtp', 'smtps'], example)
  if (hostname === '') throw new Error(`must name a host: ${example}`)
  try {
    decodeURIComponent(username + password)
  } catch {
    throw new Error('must have a % in its user or password written as %25')
  }
  return text
}

const sender = /^(?:(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:\\()[\]]*)\s*<([^<>]*)>|([^<>]*))$/
const localPart = /^[^\s<>@,;:"\\()[\]]{1,64}$/

/** A mailbox as it stands in a From header (RFC 5322 §3.4): one address, with or without a name. */
export function mailbox(text: string) {
  const [, inBrackets, bare] = sender.exec(text) ?? []
  const [local = '', host = '', ...rest] = (inBrackets ?? bare ?? '').split('@')
  if (!localPart.test(local) || !isHostName(domainToASCII(host)) || rest.length > 0)
    throw new Error('must be an e-mail address, such as Slipway <slipway@example.com>')
  return text
}

/** One of the e-mail addresses of people, in lower case, as accounts have them. */
export function emailOfPerson(text: string) {
  const email = text.toLowerCase()
  if (!isEmailAddress(email))
    throw new Error('must be a list of e-mail addresses, such as ada@example.com,grace@example.com')
  return email
}
