import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Variable<Value> = {
  /** As the documentation shows it. */
  default: string
  meaning: string
  /** The value from its text; undefined text means the variable is not set. Throws a sentence. */
  read: (text: string | undefined) => Value
}

const variable = <Value>(
  fallback: string,
  meaning: string,
  read: (text: string | undefined) => Value,
): Variable<Value> => ({ default: fallback, meaning, read })

const port = (fallback: number) => (text: string | undefined) => {
  const value = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 65_535)
    throw new Error('must be a port, 1 to 65535')
  return value
}

const wholeNumber = (fallback: number, least: number) => (text: string | undefined) => {
  const value = text === undefined ? fallback : Number(text)
  if (!Number.isInteger(value) || value < least)
    throw new Error(`must be a whole number from ${least}`)
  return value
}

const oneOf =
  <const Choice extends string>(...choices: Choice[]) =>
  (text: string | undefined): Choice => {
    if (text === undefined) return choices[0] as Choice
    const chosen = choices.find((choice) => choice === text)
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return chosen
  }

const webAddress = (text: string) => {
  if (!URL.canParse(text) || !/^https?:\/\/[^/]/.test(text))
    throw new Error('must be an address that starts with http:// or https://')
  return text.replace(/\/+$/, '')
}

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const optional = (text: string | undefined) => text

const regions = (text: string | undefined) => {
  const found = list(text ?? 'eu=Europe,us=North America').map((item) => {
    const [id = '', name = ''] = item.split('=').map((part) => part.trim())
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(id) || name === '')
      throw new Error('must be a list of id=Name, each id of a-z, 0-9 and hyphens')
    return { id, name }
  })
  if (found.length === 0 || new Set(found.map((region) => region.id)).size !== found.length)
    throw new Error('must name at least one region and none twice')
  return found
}

/** Every environment variable the server reads: `docs/environment.md` is made from this. */
export const variables = {
  PORT: variable('3000', 'Port of the console and the API.', port(3000)),
  HOST: variable(
    '127.0.0.1',
    'Address that the console, the API and the site gateway listen on. Anything but loopback turns the development stand-ins off.',
    (text) => text ?? '127.0.0.1',
  ),
  PUBLIC_URL: variable(
    'http://localhost:$PORT',
    'How browsers reach the console: the address in mailed links.',
    (text) => (text === undefined ? undefined : webAddress(text)),
  ),
  SITES_PORT: variable('8080', 'Port of the site gateway.', port(8080)),
  SITES_DOMAIN: variable(
    'localhost',
    'Sites are served as http://{key}.$SITES_DOMAIN:$SITES_PORT.',
    (text) => {
      if (text !== undefined && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text))
        throw new Error('must be a host name in lower case')
      return text ?? 'localhost'
    },
  ),
  SITES_URL: variable(
    'http://$SITES_DOMAIN:$SITES_PORT',
    'Scheme and port that visitors use, when a proxy stands before the gateway, such as https://sites.example.com.',
    (text) => (text === undefined ? undefined : webAddress(text)),
  ),
  REGIONS: variable(
    'eu=Europe,us=North America',
    'The regions offered, as a list of id=Name.',
    regions,
  ),
  DATA_DIR: variable(
    './data; as root /var/lib/slipway',
    'Folder of the embedded database, the sites and the keys.',
    (text) =>
      resolve(
        (text ?? (process.getuid?.() === 0 ? '/var/lib/slipway' : './data')).replace(
          /^~(?=\/|$)/,
          () => join(homedir()),
        ),
      ),
  ),
  DATABASE_URL: variable(
    'an embedded PostgreSQL',
    'A PostgreSQL of your own, 15 or newer.',
    (text) => {
      if (text !== undefined && !/^postgres(ql)?:\/\//.test(text))
        throw new Error('must start with postgres:// or postgresql://')
      return text
    },
  ),
  SMTP_URL: variable(
    'none: mails are kept and shown at /mailbox',
    'Mail server, such as smtps://user:password@mail.example.com.',
    (text) => {
      if (text !== undefined && !/^smtps?:\/\//.test(text))
        throw new Error('must start with smtp:// or smtps://')
      return text
    },
  ),
  MAIL_FROM: variable(
    'Slipway <slipway@localhost>',
    'Sender of every mail.',
    (text) => text ?? 'Slipway <slipway@localhost>',
  ),
  GOOGLE_CLIENT_ID: variable(
    'none: on a development machine a stand-in plays Google',
    'Client id for "Continue with Google"; its redirect URI is $PUBLIC_URL/api/auth/oauth/callback.',
    optional,
  ),
  GOOGLE_CLIENT_SECRET: variable('none', 'Client secret for "Continue with Google".', optional),
  PROJECT_LIMIT: variable('10', 'Undeleted projects a team may have.', wholeNumber(10, 0)),
  ENGINE: variable(
    'local',
    'What runs the sites: a Node process each on this machine.',
    oneOf('local'),
  ),
  ROLE: variable(
    'all',
    'What this process does: all, or one of web, worker, gateway.',
    oneOf('all', 'web', 'worker', 'gateway'),
  ),
  CONSOLE_ORIGINS: variable(
    'none',
    'Origins of consoles served elsewhere that may call the API, as a list.',
    (text) => list(text).map(webAddress),
  ),
  TRUST_PROXY: variable(
    'none',
    'Addresses of proxies whose X-Forwarded-For is believed, as a list.',
    list,
  ),
  RATE_LIMIT: variable(
    '1200',
    'Calls a minute from one address, and a twentieth of that to each call that signs in or sends mail; 0 lifts it.',
    wholeNumber(1200, 0),
  ),
  LOG_LEVEL: variable(
    'info',
    'How much is logged.',
    oneOf('info', 'trace', 'debug', 'warn', 'error', 'silent'),
  ),
  CONSOLE_DIR: variable(
    'the built console of this repository',
    'Folder of the built console.',
    optional,
  ),
} satisfies Record<string, Variable<unknown>>

type Values = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['read']> }

export type Env = Omit<Values, 'PUBLIC_URL' | 'SITES_URL'> & {
  PUBLIC_URL: string
  SITES_URL: string
  /** The server can be reached from this machine alone, so the development stand-ins may run. */
  loopback: boolean
}

const loopbackHosts = ['127.0.0.1', '::1', '[::1]', 'localhost']

/**
 * The environment, read and checked once. Throws an Error of one line that names the variable when one
 * is wrong. An empty variable counts as unset.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const values: Record<string, unknown> = {}
  for (const [name, { read }] of Object.entries(variables)) {
    try {
      values[name] = read(source[name] || undefined)
    } catch (error) {
      throw new Error(`${name} ${error instanceof Error ? error.message : error}`)
    }
  }
  const read = values as Values
  if ((read.GOOGLE_CLIENT_ID === undefined) !== (read.GOOGLE_CLIENT_SECRET === undefined))
    throw new Error('GOOGLE_CLIENT_SECRET and GOOGLE_CLIENT_ID must be set together')
  const publicUrl = read.PUBLIC_URL ?? `http://localhost:${read.PORT}`
  // Behind a proxy the server listens on loopback, and yet everybody reaches it.
  const loopback =
    loopbackHosts.includes(read.HOST) && loopbackHosts.includes(new URL(publicUrl).hostname)
  if (!loopback && read.SMTP_URL === undefined && (read.ROLE === 'all' || read.ROLE === 'worker'))
    throw new Error(
      `SMTP_URL must be set when HOST (${read.HOST}) or PUBLIC_URL (${publicUrl}) is not loopback: the mailbox page is for development alone`,
    )
  return {
    ...read,
    PUBLIC_URL: publicUrl,
    SITES_URL: read.SITES_URL ?? `http://${read.SITES_DOMAIN}:${read.SITES_PORT}`,
    loopback,
  }
}
