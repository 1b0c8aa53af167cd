import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { isEmailAddress, lowercaseEmail } from '@slipway/contract/email'
import { type Locale, locales } from '@slipway/phrases'
import { z } from 'zod'

// The types of the variables. Each error text follows the name of its variable.

const digits = (error: string) => z.string().regex(/^\d+$/, error).transform(Number)

const portError = 'must be a port, 1 to 65535'
/** A TCP port. Not 0, which is any port: browsers must know the number. */
export const port = digits(portError).pipe(z.number().min(1, portError).max(65_535, portError))

export const wholeNumber = digits('must be a whole number from 0').pipe(
  z.number().max(Number.MAX_SAFE_INTEGER, 'must be a whole number from 0'),
)

export const oneOf = <const Choices extends readonly string[]>(...choices: Choices) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` })

const splitList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** A comma-separated list. Blank items are ignored. */
export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z.string().transform(splitList).pipe(z.array(item))

export const engines = listOf(oneOf('local', 'kubernetes')).refine(
  (all) => all.length > 0 && new Set(all).size === all.length,
  { error: 'must have each of its engines once' },
)

/** Lines of a text that `;` separates. */
export const lines = z
  .string()
  .transform((text) => text.split(';').map((line) => line.trim()))
  .pipe(z.array(z.string().min(1, 'must be lines, separated by ;')))

/** A rate in percent with at most two decimals, as text, so that it is never a float. */
export const percentage = z
  .string()
  .regex(/^(100|\d{1,2})(\.\d{1,2})?$/, 'must be a percentage from 0 to 100, such as 20 or 7.5')
  .refine((text) => Number(text) <= 100, 'must be a percentage from 0 to 100, such as 20 or 7.5')

const labelPattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** True for a host name in lower case whose last label is not a number (RFC 1123 §2.1). */
const isHostName = (text: string) => {
  const labels = text.split('.')
  return (
    text.length <= 253 &&
    labels.every((label) => labelPattern.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? '')
  )
}

/** An address or a host name to listen on. Brackets around an IPv6 address are removed. */
export const listeningHost = z
  .string()
  .transform((text) => text.replace(/^\[(.+)\]$/, '$1'))
  .refine((host) => isIP(host) !== 0 || isHostName(host.toLowerCase()), {
    error: 'must be an address to listen on, such as 127.0.0.1, 0.0.0.0 or ::',
  })

// A project's key, a label of up to 63 characters, and a dot precede the domain.
const maxDomainLength = 253 - 64

/** A domain for the host names of sites. */
export const domain = z
  .string()
  .refine((text) => isHostName(text) && text.length <= maxDomainLength, {
    error: 'must be a host name in lower case without scheme and port, such as sites.example.com',
  })

const isOrigin = (text: string) => {
  if (!/^https?:\/\/[^/?#\\@]+\/?$/i.test(text) || !URL.canParse(text)) return false
  const { hostname } = new URL(text)
  return hostname.startsWith('[') || isIP(hostname) !== 0 || isHostName(hostname)
}

/** An http(s) origin, serialized (RFC 6454 §6.2), so that two spellings compare as equal. */
export const origin = z
  .string()
  .refine(isOrigin, {
    error:
      'must be an address with http:// or https:// and without a path, such as https://www.example.com',
  })
  .transform((text) => new URL(text).origin)

/** The address of a page, with its path and query. */
export const webPage = z
  .string()
  .refine((text) => /^https?:\/\/[^\s@]+$/.test(text) && URL.canParse(text), {
    error: 'must be an address with http:// or https://, such as https://status.example.com',
  })

const regionPattern = /^(?<id>[a-z](?:[a-z0-9-]{0,29}[a-z0-9])?)\s*=\s*(?<names>.*)$/

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const otherNames = locales.slice(1).map((locale) => `|${languageNames.of(locale)} name`)
/** How a region is written, such as `id=Name|Turkish name`. */
export const regionForm = `id=Name${otherNames.join('')}`
const regionError = `must be a list of id=Name, or ${regionForm}, each id of a-z, 0-9 and hyphens`

/** A region with its names in the order of the languages. The id is a label of its gateway host. */
const region = z
  .string()
  .regex(regionPattern, { error: regionError })
  .transform((text) => {
    const { id = '', names = '' } = regionPattern.exec(text)?.groups ?? {}
    return { id, names: names.split('|').map((name) => name.trim()) }
  })
  .refine(({ names }) => names.length <= locales.length && names.every(Boolean), {
    error: regionError,
  })
  .transform(({ id, names }) => {
    const nameIn = (index: number) => names[index] ?? names[0] ?? ''
    const byLocale = Object.fromEntries(locales.map((locale, index) => [locale, nameIn(index)]))
    return { id, names: byLocale as Record<Locale, string> }
  })

export const regions = listOf(region).refine(
  (all) => all.length > 0 && new Set(all.map(({ id }) => id)).size === all.length,
  { error: 'must name at least one region and none twice' },
)

/** An origin on a private network, which needs no encryption. */
export const httpOrigin = origin.refine((text) => text.startsWith('http:'), {
  error: 'must be an address with http:// and without a path, such as http://127.0.0.1:3000',
})

/** A path, made absolute. `~` is the home folder, as in a shell. */
export const path = z
  .string()
  .transform((text) => resolve(text.replace(/^~(?=\/|$)/, () => homedir())))

const proxyGroups = ['loopback', 'linklocal', 'uniquelocal']

const isNetwork = (text: string) => {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  const bits = prefix === undefined ? 1 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0
  return family !== 0 && bits >= 1 && bits <= (family === 6 ? 128 : 32) && rest.length === 0
}

/** An address, a network (RFC 4632 §3.1) or a named group of networks. */
export const proxy = z.string().refine((text) => proxyGroups.includes(text) || isNetwork(text), {
  error: 'must be a list of addresses, such as 10.0.0.7, 10.0.0.0/8 or loopback',
})

const isNameServer = (text: string) => {
  const [, bracketed, bare = text, portText = '53'] =
    /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const isAddress = bracketed === undefined ? isIP(bare) !== 0 : isIP(bracketed) === 6
  return isAddress && port.safeParse(portText).success
}

/**
 * The address of a name server, with or without a port. An IPv6 address with a port has brackets.
 */
export const nameServer = z.string().refine(isNameServer, {
  error: 'must be a list of addresses, such as 1.1.1.1, 10.0.0.2:5353 or [::1]:53',
})

const urlWith = (schemes: readonly string[], error: string) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(scheme)), {
    error,
    abort: true,
  })

const databaseExample = 'postgresql://user:password@host:5432/database'
// PostgreSQL allows an empty host after a user, `URL` does not.
const databaseUrlOf = (text: string) => text.replace('@/', '@empty/')

const namesDatabaseHost = (text: string) => {
  const url = new URL(databaseUrlOf(text))
  const hasHost = url.hostname !== '' && databaseUrlOf(text) === text
  return hasHost || Boolean(url.searchParams.get('host'))
}

/**
 * The URI of a PostgreSQL (PostgreSQL 18, §32.1.1.2). The host may be a parameter: a socket's
 * folder.
 */
export const databaseUrl = urlWith(
  ['postgresql://', 'postgres://'],
  'must start with postgresql:// or postgres://',
)
  .refine((text) => URL.canParse(databaseUrlOf(text)), {
    error: `must be an address such as ${databaseExample}`,
    abort: true,
  })
  .refine(namesDatabaseHost, { error: `must name a host: ${databaseExample}` })

const smtpExample = 'smtps://user:password@mail.example.com'

const isPercentEncoded = (text: string) => {
  const { username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** The address of a mail server, with its user and password. */
export const smtpUrl = urlWith(['smtp://', 'smtps://'], 'must start with smtp:// or smtps://')
  .refine(URL.canParse, { error: `must be an address such as ${smtpExample}`, abort: true })
  .refine((text) => new URL(text).hostname !== '', {
    error: `must name a host: ${smtpExample}`,
    abort: true,
  })
  .refine(isPercentEncoded, { error: 'must have a % in its user or password written as %25' })

const senderPattern = /^(?:(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:\\()[\]]*)\s*<([^<>]*)>|([^<>]*))$/
const localPartPattern = /^[^\s<>@,;:"\\()[\]]{1,64}$/

const isMailbox = (text: string) => {
  const [, inBrackets, bare] = senderPattern.exec(text) ?? []
  const [local = '', host = '', ...rest] = (inBrackets ?? bare ?? '').split('@')
  return localPartPattern.test(local) && isHostName(domainToASCII(host)) && rest.length === 0
}

/** A mailbox for a From header (RFC 5322 §3.4): one address, with or without a name. */
export const mailbox = z.string().refine(isMailbox, {
  error: 'must be an email address, such as Slipway <slipway@example.com>',
})

/** The email address of an account, folded. */
export const accountEmail = z.string().transform(lowercaseEmail).refine(isEmailAddress, {
  error: 'must be a list of email addresses, such as ada@example.com,grace@example.com',
})

export const text = z.string()

const isHttps = (text: string) => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

/** The address of an ACME directory (RFC 8555 §7.1.1), which must be https (§6.1). */
export const acmeDirectory = z.string().refine(isHttps, {
  error: 'must be an address with https://, such as https://acme-v02.api.letsencrypt.org/directory',
})

/** One email address without a name. */
export const emailAddress = z.string().transform(lowercaseEmail).refine(isEmailAddress, {
  error: 'must be an email address, such as hosting@example.com',
})

export const isSealingKey = (text: string) => /^[\w-]{43}$/.test(text)

/** A key that seals secrets: 32 bytes in base64url. */
export const sealingKey = z.string().refine(isSealingKey, {
  error: 'must be a list of keys, each 32 bytes in base64url, as `npm run rotate-keys` writes them',
})

/** A folder's path, or a bucket and a prefix in it. */
export const backupLocation = z
  .string()
  .refine((text) => /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/|$)/.test(text) || !text.includes('://'), {
    error: 'must be a folder or s3://bucket/prefix',
  })
  .transform((text) => (text.startsWith('s3://') ? text : path.parse(text)))

/** A recipient or an identity of age (https://age-encryption.org/v1). */
export const backupKey = z
  .string()
  .regex(/^(age1[a-z0-9]{50,}|AGE-SECRET-KEY-(PQ-)?1[A-Z0-9]{50,})$/, {
    error: 'must be an age key: make one with npm run backup -- --new-key',
  })

/** The name of an installation in a cluster: the start of the names of its namespaces. */
export const clusterName = z
  .string()
  .regex(/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/, 'must be 1 to 20 of a-z, 0-9 and hyphens')

const clustersForm = 'a list of name=region:context, or name=region:context:capacity'

/** A context may contain colons, as the contexts of EKS do. */
const clusterPattern = /^(?<name>[^=]+)=(?<regionId>[^:]+):(?<context>.+?)(:(?<capacity>\d{1,9}))?$/

const cluster = z
  .string()
  .regex(clusterPattern, { error: `must be ${clustersForm}` })
  .transform((text) => {
    const {
      name = '',
      regionId = '',
      context = '',
      capacity,
    } = clusterPattern.exec(text)?.groups ?? {}
    return { name, regionId, context, capacity: capacity === undefined ? null : Number(capacity) }
  })
  .refine(({ name }) => labelPattern.test(name), {
    error: 'must name each cluster with 1 to 63 of a-z, 0-9 and hyphens',
  })

export const clusters = listOf(cluster).refine(
  (all) => new Set(all.map(({ name }) => name)).size === all.length,
  { error: 'must name no cluster twice' },
)

const edgePattern =
  /^(?:ingress(?::(?<className>[a-z0-9.-]+))?|gateway:(?<namespace>[a-z0-9-]+)\/(?<name>[a-z0-9.-]+))$/

/** The Ingress or Gateway that routes visitors to the sites of Kubernetes, without our gateway. */
export const edge = z
  .string()
  .regex(edgePattern, 'must be ingress, ingress:CLASS or gateway:NAMESPACE/NAME')
  .transform((text) => {
    const { className, namespace = '', name } = edgePattern.exec(text)?.groups ?? {}
    return name === undefined
      ? { kind: 'ingress' as const, className }
      : { kind: 'gateway' as const, namespace, name }
  })

/** A network in CIDR notation (RFC 4632). */
export const network = z.union([z.cidrv4(), z.cidrv6()], {
  error: 'must be a list of networks, such as 10.0.0.0/24 or fd00::/8',
})

const isLoopbackName = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** Clients send their secrets there: HTTPS, or this machine. */
const isIssuer = (value: string) => {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, search, hash } = new URL(value)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
  return isSafe && search === '' && hash === ''
}

const externalProvider = z.object({
  /** Identities are stored with it: it must not change. */
  id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  name: z
    .string()
    .min(1)
    .max(50)
    .refine((name) => name !== 'Email'),
  type: z.enum(['oidc', 'github']).default('oidc'),
  issuer: z.string().refine(isIssuer),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scopes: z.string().min(1).optional(),
  icon: z
    .string()
    .regex(/^data:image\/(svg\+xml|png|webp)[;,]/)
    .max(8192)
    .optional(),
})

const externalProvidersError =
  'must be a JSON list of objects with id (a-z, 0-9 and hyphens, each once), name, issuer (https), clientId and clientSecret'

/** Outside identity providers, as JSON. */
export const externalProviders = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue(externalProvidersError)
      return z.NEVER
    }
  })
  .pipe(
    z
      .array(externalProvider, externalProvidersError)
      .refine(
        (list) => new Set(list.map(({ id }) => id)).size === list.length,
        externalProvidersError,
      ),
  )
