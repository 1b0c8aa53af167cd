import { z } from 'zod'
import { configuredClusters, isLocal, localCluster } from './configured-clusters.ts'
import { SettingError } from './setting-error.ts'
import {
  accountEmail,
  acmeDirectory,
  backupKey,
  backupLocation,
  clusterName,
  clusters,
  databaseUrl,
  domain,
  edge,
  emailAddress,
  engines,
  externalProviders,
  httpOrigin,
  lines,
  listeningHost,
  listOf,
  mailbox,
  nameServer,
  network,
  oneOf,
  origin,
  path,
  percentage,
  port,
  proxy,
  regionForm,
  regions,
  sealingKey,
  smtpUrl,
  text,
  webPage,
  wholeNumber,
} from './values.ts'

declare module 'zod' {
  interface GlobalMeta {
    /** The default in the documentation, when it is a description instead of a value. */
    default?: string
    /** The value may be a password: no error shows it. */
    secret?: boolean
  }
}

const asRoot = process.getuid?.() === 0

/** Every environment variable that the server reads. `docs/environment.md` is generated from it. */
export const variables = z.object({
  PORT: port.prefault('3000').meta({ description: 'Port of the console and the API.' }),
  HOST: listeningHost.prefault('127.0.0.1').meta({
    description:
      'Address that the console, the API and the site gateway listen on. Anything but loopback turns the development stand-ins off.',
  }),
  PUBLIC_URL: origin.optional().meta({
    default: 'http://localhost:$PORT',
    description: 'URL of the console as browsers reach it, used in emailed links.',
  }),
  DOCS_URL: webPage.optional().meta({
    default: '$PUBLIC_URL/api/docs',
    description: 'Documentation, to which the footer of the console links.',
  }),
  STATUS_URL: webPage.optional().meta({
    default: 'none: the footer does not link it',
    description: 'Page with the status of the service, such as https://status.example.com.',
  }),
  TERMS_URL: webPage.optional().meta({
    default: '$PUBLIC_URL/terms',
    description: 'Terms, to which the footer and the sign-up page link.',
  }),
  PRIVACY_URL: webPage.optional().meta({
    default: '$PUBLIC_URL/privacy',
    description: 'Privacy notice, to which the footer and the sign-up page link.',
  }),
  SITES_PORT: port.prefault('8080').meta({ description: 'Port of the site gateway.' }),
  SITES_TLS_PORT: port.optional().meta({
    default: 'none: a proxy terminates TLS, or nothing does',
    description:
      'Port on which the site gateway terminates TLS, with the certificates of the sites.',
  }),
  SITES_TLS_CERTIFICATE: path.optional().meta({
    default: 'none: ordered by ACME_DNS_HOOK, or self-signed',
    description:
      'File of the certificate for *.$SITES_DOMAIN with its chain, in PEM. It is read again when it changes.',
  }),
  SITES_TLS_KEY: path.optional().meta({
    default: 'none',
    description: 'File of its key, in PEM.',
  }),
  CONSOLE_TLS_CERTIFICATE: path.optional().meta({
    default: 'none: ordered, or self-signed',
    description:
      'File of the certificate for the host of $PUBLIC_URL with its chain, in PEM. It is read again when it changes.',
  }),
  CONSOLE_TLS_KEY: path.optional().meta({
    default: 'none',
    description: 'File of its key, in PEM.',
  }),
  CONSOLE_ADDRESS: httpOrigin.optional().meta({
    default: 'none: with ROLE=all the gateway serves the console itself',
    description:
      'Where a process of ROLE=gateway with SITES_TLS_PORT forwards the requests for the host of $PUBLIC_URL, such as http://127.0.0.1:3000. TRUST_PROXY of that server must have the address of the gateway.',
  }),
  SITES_HOST: listeningHost.optional().meta({
    default: '$HOST',
    description:
      'Address that the site gateway listens on, such as 0.0.0.0 or :: for all. With another than $HOST the console can stay on loopback.',
  }),
  SITES_DOMAIN: domain.prefault('localhost').meta({
    description: 'Sites are served as http://{key}.$SITES_DOMAIN:$SITES_PORT.',
  }),
  SITES_URL: origin.optional().meta({
    default: 'http://$SITES_DOMAIN:$SITES_PORT; with SITES_TLS_PORT https and that port',
    description:
      'URL of $SITES_DOMAIN as visitors reach it, such as https://sites.example.com, if a proxy changes the scheme or port.',
  }),
  REGIONS: regions.prefault('eu=Europe|Avrupa,us=North America|Kuzey Amerika').meta({
    description: `The regions offered, as a list of id=Name, or of ${regionForm}.`,
  }),
  DNS_SERVERS: listOf(nameServer).default([]).meta({
    default: "the system's",
    description:
      'Name servers that check whether custom domains point here, and that resolve what sites connect to, as a list of addresses such as 1.1.1.1 or 10.0.0.2:5353.',
  }),
  DOMAIN_PROOF: oneOf('dns', 'none').optional().meta({
    default: 'dns; none when PUBLIC_URL is loopback and ACME_DIRECTORY is not set',
    description:
      'Whether the owner of a custom domain must prove it by a DNS record (dns). none: every domain is accepted and none gets a certificate, for development only.',
  }),
  DATA_DIR: path.prefault(asRoot ? '/var/lib/slipway' : './data').meta({
    default: './data; as root /var/lib/slipway',
    description: 'Folder of the embedded database, the sites and the keys.',
  }),
  SEALING_KEYS: listOf(sealingKey).optional().meta({
    secret: true,
    default: 'those of SEALING_KEYS_FILE',
    description:
      'Keys that encrypt the secrets in the database, each 32 bytes in base64url, as a list. The first encrypts; any of them decrypts.',
  }),
  SEALING_KEYS_FILE: path.optional().meta({
    default: '$DATA_DIR/keys/sealing-keys, created on the first start',
    description: 'File of these keys, one in each line. Servers on several machines need the same.',
  }),
  DATABASE_URL: databaseUrl.optional().meta({
    secret: true,
    default: 'an embedded PostgreSQL',
    description: 'A PostgreSQL of your own, 14 or newer.',
  }),
  BACKUP_URL: backupLocation.optional().meta({
    default: 'none: no backups at night',
    description:
      "Where the service is backed up every night, and where the backups of sites are stored: a folder, or s3://bucket/prefix with the AWS SDK's own variables (AWS_REGION, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).",
  }),
  BACKUP_KEY: backupKey.optional().meta({
    secret: true,
    default: 'none',
    description:
      'Key of the backups (npm run backup -- --new-key): the public key age1… encrypts them; the secret key AGE-SECRET-KEY-1…, which a restore needs, also decrypts them.',
  }),
  BACKUP_KEEP_DAYS: wholeNumber.prefault('30').meta({
    description:
      'Days after which a backup in $BACKUP_URL is removed; the seven newest always stay.',
  }),
  SELLER_NAME: text.prefault('Slipway').meta({ description: 'Who issues the invoices.' }),
  SELLER_ADDRESS: lines.default([]).meta({
    default: 'none',
    description: 'Its address on invoices; ";" separates the lines.',
  }),
  SELLER_TAX_NUMBER: text.optional().meta({
    default: 'none',
    description: 'Its tax number on invoices, such as 1234567890.',
  }),
  TAX_RATE: percentage.prefault('0').meta({
    description: 'Tax that invoices add to their net sum, in percent, such as 20 or 7.5.',
  }),
  ACTIVITY_KEEP_DAYS: wholeNumber.prefault('396').meta({
    description:
      'Days for which the activity of projects, teams and accounts is stored. 0: forever.',
  }),
  SMTP_URL: smtpUrl.optional().meta({
    secret: true,
    default:
      'none: emails are stored and shown at /mailbox; required when others can reach the machine',
    description:
      'Mail server, such as smtps://user:password@mail.example.com. With smtp:// on another machine, STARTTLS is required, unless the address ends in ?requireTLS=false.',
  }),
  MAIL_FROM: mailbox
    .prefault('Slipway <slipway@localhost>')
    .meta({ description: 'Sender of every email.' }),
  SITE_EMAILS_PER_DAY: wholeNumber.prefault('100').meta({
    description:
      'Emails that a PHP or WordPress site may send in 24 hours, from no-reply at the domain of $MAIL_FROM. 0: sites send none.',
  }),
  OPERATOR_EMAILS: listOf(accountEmail).default([]).meta({
    default: 'none',
    description:
      'Email addresses of the operators, as a list. A user with a verified account of one of them may run npm run operator.',
  }),
  GOOGLE_CLIENT_ID: text.optional().meta({
    default: 'none: on a development machine a stand-in replaces Google',
    description:
      'Client id for "Continue with Google"; its redirect URI is $PUBLIC_URL/api/auth/oauth/callback.',
  }),
  GOOGLE_CLIENT_SECRET: text.optional().meta({
    secret: true,
    default: 'none',
    description: 'Client secret for "Continue with Google".',
  }),
  LOGIN_PROVIDERS: externalProviders.default([]).meta({
    secret: true,
    default: 'none',
    description:
      'Other identity providers to sign in with, as JSON: a list of objects with id, name, issuer, clientId, clientSecret, and if needed scopes, icon (a data: URL) and type, which is oidc or github. The redirect URI is the same as for Google.',
  }),
  PAYMENT_GATEWAY: oneOf('sandbox', 'iyzico').optional().meta({
    default: 'sandbox; required when others can reach the machine',
    description: 'Stores and charges cards: iyzico, or the sandbox, which charges no card.',
  }),
  IYZICO_API_KEY: text.optional().meta({
    secret: true,
    default: 'none',
    description: 'API key of the iyzico account.',
  }),
  IYZICO_SECRET_KEY: text.optional().meta({
    secret: true,
    default: 'none',
    description: 'Secret key of the iyzico account.',
  }),
  IYZICO_URL: origin.prefault('https://api.iyzipay.com').meta({
    description: "iyzico's API; its test system is https://sandbox-api.iyzipay.com.",
  }),
  PROJECT_LIMIT: wholeNumber
    .prefault('10')
    .meta({ description: 'Undeleted projects a team may have.' }),
  RELEASE_MAX_MB: wholeNumber.prefault('200').meta({
    description:
      'Size of an uploaded release, in megabytes. Its files may unpack to five times as much.',
  }),
  SLEEP_AFTER: wholeNumber.prefault('900').meta({
    description:
      'Seconds without a request or an open connection after which a site is stopped; the next request wakes it. 0: sites never sleep.',
  }),
  SANDBOX: oneOf('on', 'off').prefault('on').meta({
    description:
      'off: Node apps run without a sandbox and without limits, as users of this machine. Only for apps of your own, on a machine of your own.',
  }),
  PICTURES_BROWSER: oneOf('off').or(path).optional().meta({
    default: 'the first Chromium in PATH',
    description:
      'Program of the Chromium that takes pictures of sites in the sandbox, or off. Without it, projects show a drawing.',
  }),
  SITE_LIMIT: wholeNumber.optional().meta({
    default: 'what the memory holds: one for each 64 MiB above 512',
    description:
      'Maximum number of sites that run on this machine. Further projects wait, then fail.',
  }),
  ENGINE: engines.prefault('local').meta({
    description:
      'What runs the sites: processes on this machine (local), pods of clusters (kubernetes), or both (local,kubernetes).',
  }),
  LOCAL_REGION: text.optional().meta({
    default: 'none: all regions',
    description: 'The region whose sites this machine runs, for ENGINE=local,kubernetes.',
  }),
  LOCAL_CAPACITY: wholeNumber.optional().meta({
    default: 'none: no limit',
    description:
      'Maximum number of projects on this machine. With ENGINE=local,kubernetes it gets the projects that no cluster has capacity for, or whose runtime none can run.',
  }),
  KUBECONFIG: path.optional().meta({
    default: "none: the service account of Slipway's own pod",
    description:
      'File with the address and the credentials of the cluster, for the engine kubernetes.',
  }),
  KUBERNETES_CONTEXT: text.optional().meta({
    default: 'the current one of KUBECONFIG',
    description: 'The context of KUBECONFIG.',
  }),
  KUBERNETES_CLUSTERS: clusters.default([]).meta({
    default: 'none: one cluster named default, of KUBERNETES_CONTEXT, for all regions',
    description:
      'The clusters, as a list of name=region:context or name=region:context:capacity, where capacity is its maximum number of projects. Each region of REGIONS has at least one. A name must not change.',
  }),
  KUBERNETES_INSTALLATION: clusterName.prefault('slipway').meta({
    description:
      'Name of this service in the cluster: the start of its namespaces, and a label of all its objects. It must not change.',
  }),
  KUBERNETES_NETWORK_POLICY: oneOf('enforced', 'trusted').optional().meta({
    default:
      'none: the worker tries it, and projects get programs of customers only where it is enforced',
    description:
      'enforced: the cluster enforces NetworkPolicy, so the worker does not try it. trusted: programs of customers run even if it does not, and even if they reach the API server; then each may reach every pod.',
  }),
  KUBERNETES_GATEWAY_NETWORKS: listOf(network).default([]).meta({
    default: 'none: pods in namespaces with the label slipway.internal/gateways=true',
    description:
      'Networks of the gateways, whose requests the sites accept, as a list such as 10.0.0.0/24.',
  }),
  KUBERNETES_CLOSED_NETWORKS: listOf(network).default([]).meta({
    default: 'none',
    description:
      'Public networks that no site may reach, as a list. If the API server has a public address, add its network, or no project gets a program of a customer. Private networks are always closed.',
  }),
  KUBERNETES_STORAGE_CLASS: text.optional().meta({
    default: 'the default one of the cluster',
    description: "StorageClass of the sites' data.",
  }),
  KUBERNETES_RUNTIME_CLASS: text.optional().meta({
    default: 'none',
    description: 'RuntimeClass of the sites, such as gvisor.',
  }),
  KUBERNETES_USER_NAMESPACES: oneOf('on', 'off').prefault('off').meta({
    description: 'on: pods run in user namespaces of their own. Needs Kubernetes 1.33 or newer.',
  }),
  KUBERNETES_NODE_IMAGE: text.optional().meta({
    default: 'none: no site with files runs',
    description:
      "Container image of deploy/runtimes/node, by its digest. It runs Node apps and starter sites, and fetches the releases' files.",
  }),
  KUBERNETES_PHP_IMAGE: text.optional().meta({
    default: 'none: neither PHP nor WordPress runs',
    description: 'Container image of deploy/runtimes/php, by its digest.',
  }),
  KUBERNETES_SERVICE_URL: httpOrigin.optional().meta({
    default: 'PUBLIC_URL',
    description: "Where pods reach the web server, which sends them their releases' files.",
  }),
  KUBERNETES_SERVICE_NETWORKS: listOf(network).default([]).meta({
    default: 'none: web servers in namespaces with the label slipway.internal/gateways=true',
    description:
      'Private networks of KUBERNETES_SERVICE_URL that sites may reach, as a list such as 10.0.0.5/32. Only its port and that of PUBLIC_URL are open to them. Leave it unset if a Service maps these ports to other ports of its pods.',
  }),
  KUBERNETES_EDGE: edge.optional().meta({
    default: 'none: the site gateway forwards the requests',
    description:
      'What sends visitors to the sites instead of the site gateway: ingress or ingress:CLASS makes an Ingress for each, gateway:NAMESPACE/NAME an HTTPRoute of that Gateway. Static sites and PHP need the site gateway, and no site sleeps.',
  }),
  KUBERNETES_IMAGE_PULL: oneOf('IfNotPresent', 'Never', 'Always').prefault('IfNotPresent').meta({
    description:
      'When a node pulls the image of a site. Never: only images that it has. Always: at each start, so the registry checks the credentials of the team also on a node that has the image.',
  }),
  KUBERNETES_RESERVED_CPU: wholeNumber
    .refine((value) => value >= 1 && value <= 100, 'must be a percentage from 1 to 100')
    .prefault('10')
    .meta({
      description:
        'The share of its processor limit that each site reserves on its node, in percent. A lower one lets more sites share a node. A change restarts the sites.',
    }),
  ROLE: oneOf('all', 'web', 'worker', 'gateway').prefault('all').meta({
    description: 'What this process does: all, or one of web, worker, gateway.',
  }),
  ACME_DIRECTORY: oneOf('none').or(acmeDirectory).optional().meta({
    default:
      "Let's Encrypt, https://acme-v02.api.letsencrypt.org/directory, with SITES_TLS_PORT unless PUBLIC_URL is loopback; otherwise none",
    description:
      "ACME directory of the certificate authority that issues the sites' certificates, or none. Its use agrees to the authority's terms of service.",
  }),
  ACME_FALLBACK_DIRECTORY: acmeDirectory.optional().meta({
    default: 'none',
    description: 'ACME directory that is used while the first one fails.',
  }),
  ACME_EMAIL: emailAddress.optional().meta({
    default: 'none',
    description: 'Email address that the certificate authority may write to.',
  }),
  ACME_EAB_KEY_ID: text.optional().meta({
    default: 'none',
    description:
      'Key id of the external account binding, for an authority whose directory requires one.',
  }),
  ACME_EAB_KEY: text.optional().meta({
    secret: true,
    default: 'none',
    description: 'Key of the external account binding, in base64url.',
  }),
  ACME_CA_FILE: path.optional().meta({
    default: 'none',
    description:
      'File of root certificates in PEM that are trusted in connections to the ACME directories, beside those of Node.',
  }),
  ACME_ORDER_LIMIT: wholeNumber.prefault('250').meta({
    description:
      "Orders in three hours at each certificate authority. Let's Encrypt allows a new account 300.",
  }),
  ACME_TIMEOUT: wholeNumber.prefault('30').meta({
    description: 'Seconds that a request to a certificate authority may take.',
  }),
  ACME_DNS_HOOK: path.optional().meta({
    default: 'none: no wildcard certificate',
    description:
      'Program that adds and removes the TXT records of DNS-01, for the certificates of *.$SITES_DOMAIN and the console.',
  }),
  NODE_EXTRA_CA_CERTS: path.optional().meta({
    default: 'none',
    description:
      "Node's own variable: file of root certificates in PEM that this service trusts beside those of Node. Sites on this machine trust them, too.",
  }),
  CONSOLE_ORIGINS: listOf(origin).default([]).meta({
    default: 'none',
    description: 'Origins of consoles served elsewhere that may call the API, as a list.',
  }),
  TRUST_PROXY: listOf(proxy).default([]).meta({
    default: 'none',
    description:
      'Addresses of proxies whose X-Forwarded-For is trusted, as a list such as 10.0.0.7, 10.0.0.0/8 or loopback.',
  }),
  RATE_LIMIT: wholeNumber.prefault('1200').meta({
    description:
      'Requests a minute per address and per user. The OpenID endpoints allow an address ten times as many. Endpoints that sign in or send email: a twentieth. 0: no limit.',
  }),
  NODE_ENV: text.optional().meta({
    default: 'none',
    description:
      'production turns the development stand-ins off, the mailbox page and the stand-in for Google, also on loopback. So does TRUST_PROXY.',
  }),
  MAX_CONNECTIONS: wholeNumber.prefault('10000').meta({
    description:
      'Open connections to the console and API at once, and as many to the site gateway. 0 means as many as the limit of open files allows, which also caps a higher value.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber.prefault('500').meta({
    description:
      'Open connections at once from one address, or one /64 network of IPv6, to either of the two; 0: no limit. Proxies in TRUST_PROXY have none.',
  }),
  METRICS_PORT: port.optional().meta({
    default: 'none: no metrics',
    description:
      'Port of /metrics for Prometheus and of /version, for each process its own. Both need no sign-in, so only Prometheus should reach it.',
  }),
  METRICS_HOST: listeningHost
    .prefault('127.0.0.1')
    .meta({ description: 'Address that the metrics listen on.' }),
  SHUTDOWN_DELAY: wholeNumber.optional().meta({
    default: '5 with TRUST_PROXY, ROLE=web or ROLE=gateway; otherwise 0',
    description:
      'Seconds between a signal to stop and the end of listening. Meanwhile /readyz responds 503, so that a load balancer stops sending requests.',
  }),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').prefault('info').meta({
    description: 'Lowest level that is logged: trace, debug, info, warn, error or silent.',
  }),
  CONSOLE_DIR: path.optional().meta({
    default: 'the built console of this repository',
    description: 'Folder of the built console.',
  }),
})

type Values = z.infer<typeof variables>

export type Env = Omit<
  Values,
  | 'PUBLIC_URL'
  | 'DOCS_URL'
  | 'TERMS_URL'
  | 'PRIVACY_URL'
  | 'SITES_HOST'
  | 'SITES_URL'
  | 'PAYMENT_GATEWAY'
  | 'SHUTDOWN_DELAY'
  | 'ACME_DIRECTORY'
  | 'DOMAIN_PROOF'
> & {
  /** Undefined when no certificates are ordered. */
  ACME_DIRECTORY: string | undefined
  DOMAIN_PROOF: 'dns' | 'none'
  SHUTDOWN_DELAY: number
  PUBLIC_URL: string
  DOCS_URL: string
  TERMS_URL: string
  PRIVACY_URL: string
  SITES_HOST: string
  SITES_URL: string
  PAYMENT_GATEWAY: 'sandbox' | 'iyzico'
  /**
   * The development stand-ins may run: only this machine can reach the server. They show every
   * email and sign in as anyone.
   */
  standIns: boolean
}

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

const loopbackHosts = ['127.0.0.1', '::1', '[::1]', 'localhost']
export const isLoopbackHost = (host: string) => loopbackHosts.includes(host)

/**
 * Reads and checks the environment. An empty variable counts as unset. Throws a `SettingError` that
 * names the variable when a value is wrong or conflicts with another.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const read = readVariables(source)
  const publicUrl = read.PUBLIC_URL ?? `http://localhost:${read.PORT}`
  const sitesHost = read.SITES_HOST ?? read.HOST
  const isLocal = isLoopbackHost(new URL(publicUrl).hostname)
  // Behind a proxy the server listens on loopback but is public. An unset PUBLIC_URL hides that.
  const standIns =
    read.NODE_ENV !== 'production' &&
    read.TRUST_PROXY.length === 0 &&
    isLoopbackHost(read.HOST) &&
    isLoopbackHost(sitesHost) &&
    isLocal
  const directory = acmeDirectoryOf(read, publicUrl)
  const env = {
    ...read,
    PUBLIC_URL: publicUrl,
    DOCS_URL: read.DOCS_URL ?? `${publicUrl}/api/docs`,
    TERMS_URL: read.TERMS_URL ?? `${publicUrl}/terms`,
    PRIVACY_URL: read.PRIVACY_URL ?? `${publicUrl}/privacy`,
    SITES_HOST: sitesHost,
    SITES_URL: read.SITES_URL ?? defaultSitesUrl(read),
    DOMAIN_PROOF:
      read.DOMAIN_PROOF ?? (isLocal && !directory ? ('none' as const) : ('dns' as const)),
    PAYMENT_GATEWAY: read.PAYMENT_GATEWAY ?? ('sandbox' as const),
    ACME_DIRECTORY: directory,
    SHUTDOWN_DELAY: read.SHUTDOWN_DELAY ?? (hasLoadBalancer(read) ? 5 : 0),
    standIns,
  }
  checkTogether(env)
  checkClusters(env)
  checkPayments(env, read.PAYMENT_GATEWAY !== undefined)
  return env
}

const defaultSitesUrl = ({ SITES_DOMAIN: host, SITES_PORT, SITES_TLS_PORT }: Values) =>
  SITES_TLS_PORT === undefined
    ? `http://${host}:${SITES_PORT}`
    : new URL(`https://${host}:${SITES_TLS_PORT}`).origin

/** A public gateway that terminates TLS gets certificates without a setting. */
function acmeDirectoryOf({ ACME_DIRECTORY, SITES_TLS_PORT }: Values, publicUrl: string) {
  if (ACME_DIRECTORY !== undefined) return ACME_DIRECTORY === 'none' ? undefined : ACME_DIRECTORY
  const isPublic = SITES_TLS_PORT !== undefined && !isLoopbackHost(new URL(publicUrl).hostname)
  return isPublic ? letsEncrypt : undefined
}

/** True when a load balancer may be in front, which reads `/readyz` before it sends requests. */
const hasLoadBalancer = ({ TRUST_PROXY, ROLE }: Values) =>
  TRUST_PROXY.length > 0 || ROLE === 'web' || ROLE === 'gateway'

function readVariables(source: Record<string, string | undefined>): Values {
  const names = Object.keys(variables.shape) as (keyof Values)[]
  const texts = Object.fromEntries(names.map((name) => [name, source[name]?.trim() || undefined]))
  const result = variables.safeParse(texts)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = issue?.path[0] as keyof Values
  const isSecret = variables.shape[name].meta()?.secret
  const value = isSecret ? '' : `, but is ${JSON.stringify(texts[name])}`
  throw new SettingError(`${name} ${issue?.message}${value}`)
}

/** Throws when two valid values conflict. */
function checkTogether(env: Env) {
  const does = (role: Env['ROLE']) => env.ROLE === 'all' || env.ROLE === role
  if ((env.GOOGLE_CLIENT_ID === undefined) !== (env.GOOGLE_CLIENT_SECRET === undefined))
    throw new SettingError('GOOGLE_CLIENT_SECRET and GOOGLE_CLIENT_ID must be set together')
  if (env.GOOGLE_CLIENT_ID !== undefined && env.LOGIN_PROVIDERS.some(({ id }) => id === 'google'))
    throw new SettingError(
      'LOGIN_PROVIDERS must not have the id google when GOOGLE_CLIENT_ID is set',
    )
  if ((env.ACME_EAB_KEY_ID === undefined) !== (env.ACME_EAB_KEY === undefined))
    throw new SettingError('ACME_EAB_KEY and ACME_EAB_KEY_ID must be set together')
  if (env.ACME_FALLBACK_DIRECTORY !== undefined && env.ACME_DIRECTORY === undefined)
    throw new SettingError('ACME_DIRECTORY must be set when ACME_FALLBACK_DIRECTORY is')
  for (const name of ['SITES_TLS', 'CONSOLE_TLS'] as const)
    if ((env[`${name}_CERTIFICATE`] === undefined) !== (env[`${name}_KEY`] === undefined))
      throw new SettingError(`${name}_CERTIFICATE and ${name}_KEY must be set together`)
  if (env.SEALING_KEYS && env.SEALING_KEYS_FILE)
    throw new SettingError('SEALING_KEYS and SEALING_KEYS_FILE must not be set together')
  if (env.BACKUP_URL !== undefined && env.BACKUP_KEY === undefined && does('worker'))
    throw new SettingError(
      'BACKUP_KEY must be set when BACKUP_URL is: make one with npm run backup -- --new-key',
    )
  if (does('gateway') && env.PORT === env.SITES_PORT)
    throw new SettingError(`PORT and SITES_PORT must be two ports, but both are ${env.PORT}`)
  if (does('gateway') && [env.PORT, env.SITES_PORT].some((port) => port === env.SITES_TLS_PORT))
    throw new SettingError(
      `SITES_TLS_PORT must be a port of its own, but ${env.SITES_TLS_PORT} is PORT or SITES_PORT`,
    )
  const gatewayPorts = does('gateway') ? [env.SITES_PORT, env.SITES_TLS_PORT] : []
  if (env.METRICS_PORT !== undefined && [env.PORT, ...gatewayPorts].includes(env.METRICS_PORT))
    throw new SettingError(
      `METRICS_PORT must be a port of its own, but ${env.METRICS_PORT} is PORT, SITES_PORT or SITES_TLS_PORT`,
    )
  if (new URL(env.SITES_URL).hostname !== env.SITES_DOMAIN)
    throw new SettingError(
      `SITES_URL must have the host of SITES_DOMAIN (${env.SITES_DOMAIN}), but is ${JSON.stringify(env.SITES_URL)}`,
    )
  if (env.DOMAIN_PROOF === 'none' && !isLoopbackHost(new URL(env.PUBLIC_URL).hostname))
    throw new SettingError(
      `DOMAIN_PROOF must be dns when PUBLIC_URL (${env.PUBLIC_URL}) is not loopback: otherwise a user could take a domain of others`,
    )
  if (env.DOMAIN_PROOF === 'none' && env.ACME_DIRECTORY !== undefined)
    throw new SettingError(
      'DOMAIN_PROOF must be dns when ACME_DIRECTORY is set: only proven domains get certificates',
    )
  if (!env.standIns && env.SMTP_URL === undefined && does('worker'))
    throw new SettingError(
      `SMTP_URL must be set when ${publicBecause(env)}: the mailbox page is for development alone`,
    )
}

/** Throws when the clusters do not fit the regions, or this machine. */
function checkClusters(env: Env) {
  const { KUBERNETES_CLUSTERS: clusters, KUBERNETES_CONTEXT: context, LOCAL_REGION, REGIONS } = env
  const regionIds = REGIONS.map(({ id }) => id)
  if (LOCAL_REGION !== undefined && !regionIds.includes(LOCAL_REGION))
    throw new SettingError(`LOCAL_REGION must be a region of REGIONS, but is ${LOCAL_REGION}`)
  if (clusters.some(({ name }) => isLocal(env, name)))
    throw new SettingError(
      `KUBERNETES_CLUSTERS must not have the name ${localCluster} when ENGINE has local: it is that of this machine`,
    )
  const hasRegion = (id: string) =>
    configuredClusters(env).some(({ regionId }) => regionId === null || regionId === id)
  const regionWithoutCluster = regionIds.find((id) => !hasRegion(id))
  if (clusters.length === 0) {
    if (regionWithoutCluster !== undefined)
      throw new SettingError(
        `LOCAL_REGION must not leave a region without a cluster, but ${regionWithoutCluster} has none`,
      )
    return
  }
  if (context !== undefined)
    throw new SettingError('KUBERNETES_CONTEXT must not be set when KUBERNETES_CLUSTERS is')
  const unknown = clusters.find(({ regionId }) => !regionIds.includes(regionId))
  if (unknown)
    throw new SettingError(
      `KUBERNETES_CLUSTERS must have regions of REGIONS, but ${unknown.name} is in ${unknown.regionId}`,
    )
  if (regionWithoutCluster !== undefined)
    throw new SettingError(
      `KUBERNETES_CLUSTERS must have a cluster for each region, but not for ${regionWithoutCluster}`,
    )
}

/** The setting that makes the server public, in words. */
function publicBecause({ NODE_ENV, TRUST_PROXY, HOST, SITES_HOST, PUBLIC_URL }: Env) {
  if (NODE_ENV === 'production') return 'NODE_ENV is production'
  if (TRUST_PROXY.length > 0) return `TRUST_PROXY (${TRUST_PROXY.join(', ')}) is set`
  if (isLoopbackHost(HOST) && !isLoopbackHost(SITES_HOST))
    return `SITES_HOST (${SITES_HOST}) is not loopback`
  return `HOST (${HOST}) or PUBLIC_URL (${PUBLIC_URL}) is not loopback`
}

/** Throws when the payment settings conflict or are incomplete. */
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
  // Card numbers are sent there.
  if (!url.startsWith('https:') && !isLoopbackHost(new URL(url).hostname))
    throw new SettingError(`IYZICO_URL must start with https://, but is ${JSON.stringify(url)}`)
  if (!env.standIns && !chosen && env.ROLE !== 'gateway')
    throw new SettingError(
      `PAYMENT_GATEWAY must be set when ${publicBecause(env)}: iyzico, or the sandbox, which charges no card`,
    )
}
