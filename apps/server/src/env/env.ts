import {
  databaseUrl,
  domain,
  emailOfPerson,
  listeningHost,
  mailbox,
  nameServer,
  oneOf,
  origin,
  path,
  port,
  proxy,
  regions,
  smtpUrl,
  wholeNumber,
} from './env-values.ts'
import { optional, optionalList, secret, type Variable, variable } from './env-variable.ts'
import { SettingError } from './setting-error.ts'

const anyText = (text: string) => text

const asRoot = process.getuid?.() === 0

/** Every environment variable the server reads: `docs/environment.md` is made from this. */
export const variables = {
  PORT: variable('3000', 'Port of the console and the API.', port),
  HOST: variable(
    '127.0.0.1',
    'Address that the console, the API and the site gateway listen on. Anything but loopback turns the development stand-ins off.',
    listeningHost,
  ),
  PUBLIC_URL: optional(
    'http://localhost:$PORT',
    'How browsers reach the console: the address in mailed links.',
    origin,
  ),
  SITES_PORT: variable('8080', 'Port of the site gateway.', port),
  SITES_DOMAIN: variable(
    'localhost',
    'Sites are served as http://{key}.$SITES_DOMAIN:$SITES_PORT.',
    domain,
  ),
  SITES_URL: optional(
    'http://$SITES_DOMAIN:$SITES_PORT',
    'Scheme and port that visitors use, when a proxy stands before the gateway: $SITES_DOMAIN with them, such as https://sites.example.com.',
    origin,
  ),
  REGIONS: variable(
    'eu=Europe|Avrupa,us=North America|Kuzey Amerika',
    'The regions offered, as a list of id=Name, or of id=Name|Turkish name.',
    regions,
  ),
  DNS_SERVERS: {
    ...optionalList(
      'Name servers that are asked whether custom domains lead here, as a list of addresses such as 1.1.1.1 or 10.0.0.2:5353.',
      nameServer,
    ),
    default: "the system's",
  },
  DATA_DIR: {
    ...variable(
      asRoot ? '/var/lib/slipway' : './data',
      'Folder of the embedded database, the sites and the keys.',
      path,
    ),
    default: './data; as root /var/lib/slipway',
  },
  DATABASE_URL: secret(
    'an embedded PostgreSQL',
    'A PostgreSQL of your own, 15 or newer.',
    databaseUrl,
  ),
  SMTP_URL: secret(
    'none: mails are kept and shown at /mailbox',
    'Mail server, such as smtps://user:password@mail.example.com.',
    smtpUrl,
  ),
  MAIL_FROM: variable('Slipway <slipway@localhost>', 'Sender of every mail.', mailbox),
  OPERATOR_EMAILS: optionalList(
    'E-mail addresses of the support staff, as a list: whoever has a verified account with one of them answers tickets (npm run operator).',
    emailOfPerson,
  ),
  GOOGLE_CLIENT_ID: optional(
    'none: on a development machine a stand-in plays Google',
    'Client id for "Continue with Google"; its redirect URI is $PUBLIC_URL/api/auth/oauth/callback.',
    anyText,
  ),
  GOOGLE_CLIENT_SECRET: secret('none', 'Client secret for "Continue with Google".', anyText),
  PAYMENT_GATEWAY: optional(
    'sandbox; to be set when others can reach the machine',
    'What keeps and charges cards: iyzico, or the sandbox, which charges nobody.',
    oneOf('sandbox', 'iyzico'),
  ),
  IYZICO_API_KEY: secret('none', 'API key of the iyzico account.', anyText),
  IYZICO_SECRET_KEY: secret('none', 'Secret key of the iyzico account.', anyText),
  IYZICO_URL: variable(
    'https://api.iyzipay.com',
    'Where iyzico is; its own test system is https://sandbox-api.iyzipay.com.',
    origin,
  ),
  PROJECT_LIMIT: variable('10', 'Undeleted projects a team may have.', wholeNumber(0)),
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
  CONSOLE_ORIGINS: optionalList(
    'Origins of consoles served elsewhere that may call the API, as a list.',
    origin,
  ),
  TRUST_PROXY: optionalList(
    'Addresses of proxies whose X-Forwarded-For is believed, as a list such as 10.0.0.7, 10.0.0.0/8 or loopback.',
    proxy,
  ),
  RATE_LIMIT: variable(
    '1200',
    'Calls a minute from one address, and a twentieth of that to each call that signs in or sends mail; 0 lifts it.',
    wholeNumber(0),
  ),
  LOG_LEVEL: variable(
    'info',
    'How much is logged: trace, debug, info, warn, error or silent.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  CONSOLE_DIR: optional(
    'the built console of this repository',
    'Folder of the built console.',
    path,
  ),
} satisfies Record<string, Variable<unknown, unknown>>

type Values = {
  [Name in keyof typeof variables]:
    | ReturnType<(typeof variables)[Name]['read']>
    | (typeof variables)[Name]['unset']
}

export type Env = Omit<Values, 'PUBLIC_URL' | 'SITES_URL' | 'PAYMENT_GATEWAY'> & {
  PUBLIC_URL: string
  SITES_URL: string
  PAYMENT_GATEWAY: 'sandbox' | 'iyzico'
  /** The server can be reached from this machine alone, so the development stand-ins may run. */
  loopback: boolean
}

const loopbackHosts = ['127.0.0.1', '::1', '[::1]', 'localhost']

/**
 * The environment, read and checked once. An empty variable counts as unset. Throws a `SettingError`
 * that names the variable when one is wrong, or when two do not fit each other.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const read = readVariables(source)
  const publicUrl = read.PUBLIC_URL ?? `http://localhost:${read.PORT}`
  // Behind a proxy the server listens on loopback, and yet everybody reaches it.
  const loopback =
    loopbackHosts.includes(read.HOST) && loopbackHosts.includes(new URL(publicUrl).hostname)
  const env = {
    ...read,
    PUBLIC_URL: publicUrl,
    SITES_URL: read.SITES_URL ?? `http://${read.SITES_DOMAIN}:${read.SITES_PORT}`,
    PAYMENT_GATEWAY: read.PAYMENT_GATEWAY ?? ('sandbox' as const),
    loopback,
  }
  checkTogether(env)
  checkPayments(env, read.PAYMENT_GATEWAY !== undefined)
  return env
}

function readVariables(source: Record<string, string | undefined>): Values {
  const values: Record<string, unknown> = {}
  for (const [name, { read, unset, secret }] of Object.entries(variables)) {
    const text = source[name]?.trim()
    try {
      values[name] = text ? read(text) : unset
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const given = secret ? '' : `, but is ${JSON.stringify(text)}`
      throw new SettingError(`${name} ${reason}${given}`)
    }
  }
  return values as Values
}

/** Throws when variables that are right each for itself are wrong together. */
function checkTogether(env: Env) {
  const does = (role: Env['ROLE']) => env.ROLE === 'all' || env.ROLE === role
  if ((env.GOOGLE_CLIENT_ID === undefined) !== (env.GOOGLE_CLIENT_SECRET === undefined))
    throw new SettingError('GOOGLE_CLIENT_SECRET and GOOGLE_CLIENT_ID must be set together')
  if (does('gateway') && env.PORT === env.SITES_PORT)
    throw new SettingError(`PORT and SITES_PORT must be two ports, but both are ${env.PORT}`)
  if (new URL(env.SITES_URL).hostname !== env.SITES_DOMAIN)
    throw new SettingError(
      `SITES_URL must have the host of SITES_DOMAIN (${env.SITES_DOMAIN}), but is ${JSON.stringify(env.SITES_URL)}`,
    )
  if (!env.loopback && env.SMTP_URL === undefined && does('worker'))
    throw new SettingError(
      `SMTP_URL must be set when HOST (${env.HOST}) or PUBLIC_URL (${env.PUBLIC_URL}) is not loopback: the mailbox page is for development alone`,
    )
}

/** Throws when the settings of payments are wrong together: money is nothing to be guessed about. */
function checkPayments(env: Env, chosen: boolean) {
  const { IYZICO_API_KEY: apiKey, IYZICO_SECRET_KEY: secretKey, IYZICO_URL: url } = env
  const iyzico = env.PAYMENT_GATEWAY === 'iyzico'
  if (iyzico && (apiKey === undefined || secretKey === undefined))
    throw new SettingError(
      'IYZICO_API_KEY and IYZICO_SECRET_KEY must be set when PAYMENT_GATEWAY is iyzico',
    )
  if (!iyzico && (apiKey !== undefined || secretKey !== undefined))
    throw new SettingError(
      'PAYMENT_GATEWAY must be iyzico when IYZICO_API_KEY or IYZICO_SECRET_KEY is set: the sandbox charges nobody',
    )
  // Card numbers go there.
  if (!url.startsWith('https:') && !loopbackHosts.includes(new URL(url).hostname))
    throw new SettingError(`IYZICO_URL must start with https://, but is ${JSON.stringify(url)}`)
  if (!env.loopback && !chosen && env.ROLE !== 'gateway')
    throw new SettingError(
      `PAYMENT_GATEWAY must be set when HOST (${env.HOST}) or PUBLIC_URL (${env.PUBLIC_URL}) is not loopback: iyzico, or the sandbox, which charges nobody`,
    )
}
