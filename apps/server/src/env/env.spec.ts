import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readEnv } from './env.ts'
import { SettingError } from './setting-error.ts'

describe('readEnv', () => {
  it('defaults to the settings of a development machine', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:3000',
      SITES_URL: 'http://localhost:8080',
      PROJECT_LIMIT: 10,
      ROLE: 'all',
      standIns: true,
      DATABASE_URL: undefined,
      REGIONS: [
        { id: 'eu', names: { en: 'Europe', tr: 'Avrupa' } },
        { id: 'us', names: { en: 'North America', tr: 'Kuzey Amerika' } },
      ],
    })
  })

  it('delays a shutdown only where a load balancer may be in front', () => {
    const delayOf = (variables: Record<string, string>) => readEnv(variables).SHUTDOWN_DELAY
    const configured = { SMTP_URL: 'smtp://mail.example.com', PAYMENT_GATEWAY: 'sandbox' }
    expect(delayOf({})).toBe(0)
    expect(delayOf({ TRUST_PROXY: 'loopback', ...configured })).toBe(5)
    expect(delayOf({ ROLE: 'web' })).toBe(5)
    expect(delayOf({ ROLE: 'worker' })).toBe(0)
    expect(delayOf({ ROLE: 'gateway', SHUTDOWN_DELAY: '20' })).toBe(20)
  })

  it('treats an empty variable as unset', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      PORT: 3000,
      DATABASE_URL: undefined,
    })
  })

  it('ignores spaces around a value', () => {
    expect(readEnv({ PORT: '3000 ', HOST: ' ::1' })).toMatchObject({ PORT: 3000, HOST: '::1' })
  })

  const aPort = 'must be a port, 1 to 65535'
  const anOrigin = 'must be an address with http:// or https:// and without a path'
  const aDomain = 'must be a host name in lower case without scheme and port'
  const anAddress = 'must be an email address, such as Slipway <slipway@example.com>'
  const namedRegions =
    'must be a list of id=Name, or id=Name|Turkish name, each id of a-z, 0-9 and hyphens'
  const proxies = 'must be a list of addresses, such as 10.0.0.7, 10.0.0.0/8 or loopback'
  const nameServers = 'must be a list of addresses, such as 1.1.1.1, 10.0.0.2:5353 or [::1]:53'
  const emailList = 'must be a list of email addresses, such as ada@example.com,grace@example.com'
  it.each([
    ['PORT', '99999', aPort],
    ['PORT', '0', aPort],
    ['PORT', 'http', aPort],
    ['PORT', '0x50', aPort],
    ['SITES_PORT', '1.5', aPort],
    ['METRICS_PORT', '0', aPort],
    ['ACME_DIRECTORY', 'http://ca.example.com/', 'must be an address with https://'],
    ['ACME_DIRECTORY', 'https://user:pass@ca.example.com/', 'must be an address with https://'],
    ['ACME_DIRECTORY', 'letsencrypt', 'must be an address with https://'],
    ['ACME_FALLBACK_DIRECTORY', 'none', 'must be an address with https://'],
    ['STATUS_URL', 'status.example.com', 'must be an address with http:// or https://'],
    ['TERMS_URL', 'javascript:alert(1)', 'must be an address with http:// or https://'],
    ['ACME_EMAIL', 'hosting', 'must be an email address, such as hosting@example.com'],
    ['METRICS_HOST', '0.0.0.0:9090', 'must be an address to listen on, such as 127.0.0.1'],
    ['HOST', 'http://localhost', 'must be an address to listen on, such as 127.0.0.1'],
    ['HOST', '0.0.0.0:3000', 'must be an address to listen on, such as 127.0.0.1'],
    ['HOST', '300.0.0.1', 'must be an address to listen on, such as 127.0.0.1'],
    ['PUBLIC_URL', 'localhost:3000', anOrigin],
    ['PUBLIC_URL', 'ftp://example.com', anOrigin],
    ['PUBLIC_URL', 'https://', anOrigin],
    ['PUBLIC_URL', 'https://example.com/console', anOrigin],
    ['PUBLIC_URL', 'https://example.com//', anOrigin],
    ['PUBLIC_URL', 'https://example.com?a=b', anOrigin],
    ['PUBLIC_URL', 'https://example.com#a', anOrigin],
    ['PUBLIC_URL', 'https://user@example.com', anOrigin],
    ['PUBLIC_URL', 'https://example.com:99999', anOrigin],
    ['PUBLIC_URL', 'https://a..b', anOrigin],
    ['PUBLIC_URL', 'http://*:3000', anOrigin],
    ['SITES_URL', 'https://sites.example.com/x', anOrigin],
    ['SITES_URL', 'sites.example.com', anOrigin],
    ['SITES_URL', 'https://sites.example.com', 'must have the host of SITES_DOMAIN (localhost)'],
    ['SITES_DOMAIN', 'Sites.Example', aDomain],
    ['SITES_DOMAIN', 'a..b', aDomain],
    ['SITES_DOMAIN', 'a.-b', aDomain],
    ['SITES_DOMAIN', 'example.com.', aDomain],
    ['SITES_DOMAIN', 'https://example.com', aDomain],
    ['SITES_DOMAIN', 'example.com:8080', aDomain],
    ['SITES_DOMAIN', '127.0.0.1', aDomain],
    ['SITES_DOMAIN', `${'long-label.'.repeat(20)}com`, aDomain],
    ['DNS_SERVERS', 'dns.example.com', nameServers],
    ['DNS_SERVERS', '1.1.1.1,1.1.1', nameServers],
    ['DNS_SERVERS', '1.1.1.1:0', nameServers],
    ['DNS_SERVERS', '[1.1.1.1]:53', nameServers],
    ['DNS_SERVERS', '[::1', nameServers],
    ['REGIONS', 'eu', namedRegions],
    ['REGIONS', 'eu-=Europe', namedRegions],
    ['REGIONS', 'eu=Europe|', namedRegions],
    ['REGIONS', 'eu=|Avrupa', namedRegions],
    ['REGIONS', 'eu=Europe|Avrupa|Europa', namedRegions],
    ['REGIONS', 'eu=A,eu=B', 'must name at least one region and none twice'],
    ['OPERATOR_EMAILS', 'ada', emailList],
    ['OPERATOR_EMAILS', 'ada@example.com grace@example.com', emailList],
    ['OPERATOR_EMAILS', 'SİBEL@example.com', emailList],
    ['OPERATOR_EMAILS', '\u212aate@example.com', emailList],
    ['OPERATOR_EMAILS', 'kate@example.com.', emailList],
    ['MAIL_FROM', 'Slipway', anAddress],
    ['MAIL_FROM', 'slipway@', anAddress],
    ['MAIL_FROM', 'Slipway <slipway>', anAddress],
    ['MAIL_FROM', 'Slipway slipway@example.com', anAddress],
    ['MAIL_FROM', 'a@example.com, b@example.com', anAddress],
    ['MAIL_FROM', 'Slipway, Inc. <a@example.com>', anAddress],
    ['MAIL_FROM', 'a@b@example.com', anAddress],
    ['MAIL_FROM', 'a@b..c', anAddress],
    ['PROJECT_LIMIT', '-1', 'must be a whole number from 0'],
    ['PROJECT_LIMIT', '1e9', 'must be a whole number from 0'],
    ['KUBERNETES_RESERVED_CPU', '0', 'must be a percentage from 1 to 100'],
    ['KUBERNETES_RESERVED_CPU', '101', 'must be a percentage from 1 to 100'],
    ['ENGINE', 'docker', 'must be one of local'],
    ['ROLE', 'boss', 'must be one of all, web, worker, gateway'],
    ['LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error, silent'],
    ['CONSOLE_ORIGINS', 'https://a.example.com, b', anOrigin],
    ['CONSOLE_ORIGINS', 'https://a.example.com/console', anOrigin],
    ['CONSOLE_ORIGINS', 'https://a.example.com?x', anOrigin],
    ['CONSOLE_ORIGINS', '*', anOrigin],
    ['TRUST_PROXY', 'true', proxies],
    ['TRUST_PROXY', '1', proxies],
    ['TRUST_PROXY', '10.0.0.0/33', proxies],
    ['TRUST_PROXY', '10.0.0.0/0', proxies],
    ['TRUST_PROXY', '10.0.0.0/8/8', proxies],
    ['TRUST_PROXY', '10.0.0.1, proxy.example.com', proxies],
  ])('rejects %s=%s and says what the value must be', (name, value, expected) => {
    const start = () => readEnv({ [name]: value })
    expect(start).toThrow(SettingError)
    expect(start).toThrow(`${name} ${expected}`)
    expect(start).toThrow(/^[^\n]*, but is ".*"$/)
  })

  it.each([
    ['DATABASE_URL', 'mysql://u:hunter2@x', 'must start with postgresql:// or postgres://'],
    ['DATABASE_URL', 'postgres://u:hunter2@x:port/db', 'must be an address such as postgresql://'],
    ['DATABASE_URL', 'postgres:///hunter2', 'must name a host: postgresql://'],
    ['DATABASE_URL', 'postgres://u:hunter2@/db', 'must name a host: postgresql://'],
    ['SMTP_URL', 'http://u:hunter2@x', 'must start with smtp:// or smtps://'],
    ['SMTP_URL', 'smtp://u:hunter2@x:99999', 'must be an address such as smtps://'],
    ['SMTP_URL', 'smtp:///hunter2', 'must name a host: smtps://'],
    ['SMTP_URL', 'smtp://u:hunter2%@x', 'must have a % in its user or password written as %25'],
    ['GOOGLE_CLIENT_SECRET', 'hunter2', 'and GOOGLE_CLIENT_ID must be set together'],
  ])('rejects a wrong %s without showing its password', (name, value, expected) => {
    const start = () => readEnv({ [name]: value })
    expect(start).toThrow(SettingError)
    expect(start).toThrow(`${name} ${expected}`)
    expect(start).not.toThrow(/hunter2/)
  })

  it.each([
    ['PUBLIC_URL', 'HTTP://LocalHost:3000/', 'http://localhost:3000'],
    ['PUBLIC_URL', 'http://127.0.0.1:80', 'http://127.0.0.1'],
    ['PUBLIC_URL', 'http://[::1]:3000', 'http://[::1]:3000'],
    ['SITES_URL', 'https://localhost:443/', 'https://localhost'],
    ['HOST', '[::1]', '::1'],
    ['REGIONS', 'eu=A=B', [{ id: 'eu', names: { en: 'A=B', tr: 'A=B' } }]],
    ['REGIONS', 'tr = Izmir | İzmir ', [{ id: 'tr', names: { en: 'Izmir', tr: 'İzmir' } }]],
    ['MAIL_FROM', 'slipway@example.com', 'slipway@example.com'],
    ['MAIL_FROM', 'Ça va <a@müller.example>', 'Ça va <a@müller.example>'],
    ['MAIL_FROM', '"Slipway, Inc." <a@b>', '"Slipway, Inc." <a@b>'],
    ['DATABASE_URL', 'postgres:///db?host=/run/pg', 'postgres:///db?host=/run/pg'],
    ['DATABASE_URL', 'postgres://u@/db?host=/run/pg', 'postgres://u@/db?host=/run/pg'],
    ['DATABASE_URL', 'postgresql://u:p@h:5432/db', 'postgresql://u:p@h:5432/db'],
    ['SMTP_URL', 'smtps://u%40x:p@mail.example.com:465', 'smtps://u%40x:p@mail.example.com:465'],
    ['CONSOLE_ORIGINS', 'https://A.example.com/, ', ['https://a.example.com']],
    ['OPERATOR_EMAILS', 'Ada@Example.com, a+b@x.org', ['ada@example.com', 'a+b@x.org']],
    [
      'TRUST_PROXY',
      'loopback, 10.0.0.0/8, fd00::/8, ::1',
      ['loopback', '10.0.0.0/8', 'fd00::/8', '::1'],
    ],
    ['CONSOLE_DIR', 'dist', resolve('dist')],
  ])('normalizes %s=%s', (name, value, expected) => {
    const real = { SMTP_URL: 'smtps://mail.example.com', PAYMENT_GATEWAY: 'sandbox' }
    expect(readEnv({ ...real, [name]: value })).toHaveProperty(name, expected)
  })

  it('PORT and SITES_PORT must differ in a process that listens on both', () => {
    const variables = { PORT: '8080' }
    expect(() => readEnv(variables)).toThrow(
      'PORT and SITES_PORT must be two ports, but both are 8080',
    )
    expect(() => readEnv({ ...variables, ROLE: 'gateway' })).toThrow('must be two ports')
    expect(readEnv({ ...variables, ROLE: 'web' }).PORT).toBe(8080)
  })

  it('KUBERNETES_CLUSTERS has a context and a capacity for each name, in every region', () => {
    const regions = { ENGINE: 'kubernetes', REGIONS: 'eu=Europe,us=America' }
    const arn = 'arn:aws:eks:eu-central-1:123456789012:cluster/prod'
    const read = (clusters: string, overrides: Record<string, string> = {}) =>
      readEnv({ ...regions, ...overrides, KUBERNETES_CLUSTERS: clusters }).KUBERNETES_CLUSTERS
    expect(read(`one=eu:${arn}:4000, two=us:two`)).toEqual([
      { name: 'one', regionId: 'eu', context: arn, capacity: 4000 },
      { name: 'two', regionId: 'us', context: 'two', capacity: null },
    ])
    expect(() => read('one')).toThrow('KUBERNETES_CLUSTERS must be a list of name=region:context')
    expect(() => read('One=eu:a,two=us:b')).toThrow('must name each cluster with')
    expect(() => read('one=eu:a,one=us:b')).toThrow('must name no cluster twice')
    expect(() => read('one=eu:a')).toThrow('must have a cluster for each region, but not for us')
    expect(() => read('one=eu:a,two=tr:b')).toThrow('but two is in tr')
    expect(() => read('one=eu:a,two=us:b', { KUBERNETES_CONTEXT: 'a' })).toThrow(
      'KUBERNETES_CONTEXT must not be set',
    )
  })

  it("ACME_DIRECTORY is Let's Encrypt for a public gateway that terminates TLS, and none otherwise", () => {
    const directoryOf = (variables: Record<string, string>) =>
      readEnv({ SMTP_URL: 'smtp://mail.example.com', PAYMENT_GATEWAY: 'sandbox', ...variables })
        .ACME_DIRECTORY
    const settings = { PUBLIC_URL: 'https://console.example.com' }
    const directory = 'https://ca.example.com/directory'
    expect(directoryOf({ SITES_TLS_PORT: '443', ...settings })).toBe(
      'https://acme-v02.api.letsencrypt.org/directory',
    )
    expect(directoryOf({ SITES_TLS_PORT: '8443' })).toBeUndefined()
    expect(directoryOf(settings)).toBeUndefined()
    expect(
      directoryOf({ SITES_TLS_PORT: '443', ACME_DIRECTORY: 'none', ...settings }),
    ).toBeUndefined()
    expect(directoryOf({ ACME_DIRECTORY: directory })).toBe(directory)
  })

  it('domains must be proven where certificates are ordered, also on a loopback machine', () => {
    const ACME_DIRECTORY = 'https://ca.example.com/directory'
    expect(readEnv({}).DOMAIN_PROOF).toBe('none')
    expect(readEnv({ ACME_DIRECTORY }).DOMAIN_PROOF).toBe('dns')
    expect(() => readEnv({ ACME_DIRECTORY, DOMAIN_PROOF: 'none' })).toThrow(
      'DOMAIN_PROOF must be dns when ACME_DIRECTORY is set',
    )
    expect(readEnv({ ACME_DIRECTORY: 'none' }).DOMAIN_PROOF).toBe('none')
  })

  it('the settings of ACME must be complete', () => {
    expect(() => readEnv({ ACME_EAB_KEY_ID: 'kid' })).toThrow('must be set together')
    expect(() => readEnv({ ACME_EAB_KEY: 'key' })).toThrow('must be set together')
    expect(() => readEnv({ ACME_FALLBACK_DIRECTORY: 'https://ca.example.com/' })).toThrow(
      'ACME_DIRECTORY must be set',
    )
  })

  it('SITES_TLS_PORT must differ from the other ports, and makes SITES_URL https', () => {
    for (const port of ['3000', '8080'])
      expect(() => readEnv({ SITES_TLS_PORT: port })).toThrow(
        `SITES_TLS_PORT must be a port of its own, but ${port} is PORT or SITES_PORT`,
      )
    expect(() => readEnv({ SITES_TLS_PORT: '8443', METRICS_PORT: '8443' })).toThrow(
      'METRICS_PORT must be a port of its own, but 8443 is',
    )
    expect(readEnv({ SITES_TLS_PORT: '8443' }).SITES_URL).toBe('https://localhost:8443')
    expect(readEnv({ SITES_TLS_PORT: '443' }).SITES_URL).toBe('https://localhost')
  })

  it('SITES_HOST is HOST unless set, and exposes no stand-ins either', () => {
    expect(readEnv({ HOST: '::1' }).SITES_HOST).toBe('::1')
    const apart = { SITES_HOST: '0.0.0.0', SMTP_URL: 'smtp://a', PAYMENT_GATEWAY: 'sandbox' }
    expect(readEnv(apart)).toMatchObject({ HOST: '127.0.0.1', standIns: false })
    expect(() => readEnv({ SITES_HOST: '0.0.0.0' })).toThrow(
      'SMTP_URL must be set when SITES_HOST (0.0.0.0) is not loopback',
    )
  })

  it('METRICS_PORT must differ from the ports that the process listens on', () => {
    const [start, web] = [{ METRICS_PORT: '8080' }, { METRICS_PORT: '3000', ROLE: 'web' }]
    expect(() => readEnv(start)).toThrow('METRICS_PORT must be a port of its own, but 8080 is')
    expect(() => readEnv(web)).toThrow('METRICS_PORT must be a port of its own, but 3000 is')
    expect(readEnv({ ...start, ROLE: 'web' }).METRICS_PORT).toBe(8080)
    expect(readEnv({}).METRICS_PORT).toBeUndefined()
  })

  it('SMTP_URL is required when others can reach the machine', () => {
    expect(() => readEnv({ HOST: '0.0.0.0' })).toThrow(/^SMTP_URL must be set when HOST/)
    expect(() => readEnv({ PUBLIC_URL: 'https://console.example.com' })).toThrow(
      /^SMTP_URL must be set when HOST .* or PUBLIC_URL/,
    )
    const reachable = { SMTP_URL: 'smtps://mail.example.com', PAYMENT_GATEWAY: 'sandbox' }
    expect(readEnv({ HOST: '0.0.0.0', ...reachable }).standIns).toBe(false)
  })

  const configured = { SMTP_URL: 'smtps://mail.example.com', PAYMENT_GATEWAY: 'sandbox' }
  it.each([
    ['HOST', '0.0.0.0', 'HOST (0.0.0.0) or PUBLIC_URL'],
    ['PUBLIC_URL', 'https://console.example.com', 'PUBLIC_URL (https://console.example.com)'],
    ['TRUST_PROXY', 'loopback', 'TRUST_PROXY (loopback) is set'],
    ['NODE_ENV', 'production', 'NODE_ENV is production'],
  ])(
    '%s=%s turns the development stand-ins off, and the real ones are required',
    (name, value, reason) => {
      expect(readEnv({ [name]: value, ...configured }).standIns).toBe(false)
      expect(() => readEnv({ [name]: value })).toThrow(reason)
      expect(() => readEnv({ [name]: value, SMTP_URL: configured.SMTP_URL })).toThrow(
        /^PAYMENT_GATEWAY must be set when/,
      )
    },
  )

  const iyzico = { PAYMENT_GATEWAY: 'iyzico', IYZICO_API_KEY: 'a', IYZICO_SECRET_KEY: 'hunter2' }
  const reachable = { HOST: '0.0.0.0', SMTP_URL: 'smtps://mail.example.com' }
  it('BACKUP_KEY is required where the nightly backup is made', () => {
    const settings = { BACKUP_URL: 's3://safe/slipway' }
    expect(() => readEnv(settings)).toThrow(/^BACKUP_KEY must be set when BACKUP_URL is/)
    expect(readEnv({ ...settings, ROLE: 'gateway' }).BACKUP_URL).toBe('s3://safe/slipway')
    const BACKUP_KEY = 'age17ywtrdptxdjc3gdsem6xev49m82zpg6j8lxumm8vrdd289458p8smrdzg7'
    expect(readEnv({ BACKUP_URL: '/mnt/backups', BACKUP_KEY }).BACKUP_URL).toBe('/mnt/backups')
    expect(() => readEnv({ ...settings, BACKUP_KEY: 'secret' })).toThrow(
      /^BACKUP_KEY must be an age key: make one with npm run backup -- --new-key$/,
    )
    expect(() => readEnv({ BACKUP_URL: 'ftp://safe', BACKUP_KEY })).toThrow(
      /^BACKUP_URL must be a folder or s3:/,
    )
  })

  it('PAYMENT_GATEWAY is the sandbox on a development machine and required on others', () => {
    expect(readEnv({}).PAYMENT_GATEWAY).toBe('sandbox')
    expect(() => readEnv(reachable)).toThrow(/^PAYMENT_GATEWAY must be set when HOST/)
    expect(readEnv({ ...reachable, PAYMENT_GATEWAY: 'sandbox' }).PAYMENT_GATEWAY).toBe('sandbox')
    expect(readEnv({ ...reachable, ...iyzico })).toMatchObject({
      PAYMENT_GATEWAY: 'iyzico',
      IYZICO_URL: 'https://api.iyzipay.com',
    })
    // A gateway process handles no cards.
    expect(readEnv({ HOST: '0.0.0.0', ROLE: 'gateway' }).ROLE).toBe('gateway')
  })

  it.each([
    [{ PAYMENT_GATEWAY: 'stripe' }, 'PAYMENT_GATEWAY must be one of sandbox, iyzico'],
    [{ PAYMENT_GATEWAY: 'iyzico' }, 'IYZICO_API_KEY and IYZICO_SECRET_KEY must be set when'],
    [{ ...iyzico, IYZICO_API_KEY: '' }, 'IYZICO_API_KEY and IYZICO_SECRET_KEY must be set when'],
    [{ ...iyzico, PAYMENT_GATEWAY: '' }, 'PAYMENT_GATEWAY must be iyzico when IYZICO_API_KEY or'],
    [{ IYZICO_SECRET_KEY: 'hunter2' }, 'PAYMENT_GATEWAY must be iyzico when IYZICO_API_KEY or'],
    [{ ...iyzico, IYZICO_URL: 'http://api.iyzipay.com' }, 'IYZICO_URL must start with https://'],
    [{ ...iyzico, IYZICO_URL: 'api.iyzipay.com' }, 'IYZICO_URL must be an address with http'],
  ])('rejects the payment settings %j', (source, expected) => {
    const start = () => readEnv(source)
    expect(start).toThrow(SettingError)
    expect(start).toThrow(expected)
    expect(start).not.toThrow(/hunter2/)
  })
})
