import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Env } from '../../env/env.ts'
import { reasonOf, SettingError } from '../../env/setting-error.ts'
import type { Log } from '../../log.ts'
import type { Certificate, Certificates } from './certificates.ts'
import { setCertificateExpiry } from './tls.metrics.ts'
import { tlsPolicy } from './tls-policy.ts'

/** How often the files are read again: their renewal needs no restart. */
const defaultRereadMs = 10_000

export type CertificateFile = {
  /** The common prefix of the two variables, such as `SITES_TLS`. */
  setting: string
  /** The paths of the chain and the key. */
  certificate: string
  key: string
  /** The host, or `*.` and a domain, that the certificate must be valid for. */
  host: string
}

type Settings = Pick<
  Env,
  | 'SITES_DOMAIN'
  | 'PUBLIC_URL'
  | 'SITES_TLS_CERTIFICATE'
  | 'SITES_TLS_KEY'
  | 'CONSOLE_TLS_CERTIFICATE'
  | 'CONSOLE_TLS_KEY'
>

export function certificateFiles(env: Settings): CertificateFile[] {
  const hosts = {
    SITES_TLS: `*.${env.SITES_DOMAIN}`,
    CONSOLE_TLS: new URL(env.PUBLIC_URL).hostname,
  } as const
  return (['SITES_TLS', 'CONSOLE_TLS'] as const).flatMap((setting) => {
    const [certificate, key] = [env[`${setting}_CERTIFICATE`], env[`${setting}_KEY`]]
    if (certificate === undefined || key === undefined) return []
    return [{ setting, certificate, key, host: hosts[setting] }]
  })
}

type LoadedCertificate = Certificate & { names: string[]; validUntil: Date }

/** The wildcard for a host; a wildcard stands for one level (RFC 6125 §6.4.3). */
const wildcardOf = (host: string) => `*${host.slice(host.indexOf('.'))}`

/** The host names of a certificate, wildcards included. */
const namesOf = ({ subjectAltName = '' }: X509Certificate) =>
  subjectAltName
    .split(', ')
    .filter((name) => name.startsWith('DNS:'))
    .map((name) => name.slice('DNS:'.length).toLowerCase())

/** Reads and checks a certificate and its key. Throws a `SettingError` that names the variable. */
export function readCertificateFile({
  setting,
  host,
  ...paths
}: CertificateFile): LoadedCertificate {
  const read = (part: 'certificate' | 'key') => {
    const name = `${setting}_${part.toUpperCase()}`
    try {
      return { name, text: readFileSync(paths[part], 'utf8') }
    } catch (error) {
      throw new SettingError(`${name} must be a file that can be read: ${reasonOf(error)}`)
    }
  }
  const parse = <Parsed>(name: string, expectation: string, parseText: () => Parsed) => {
    try {
      return parseText()
    } catch (error) {
      throw new SettingError(`${name} must be ${expectation} in PEM: ${reasonOf(error)}`)
    }
  }
  const [chain, key] = [read('certificate'), read('key')]
  const certificate = parse(chain.name, 'a certificate', () => new X509Certificate(chain.text))
  const privateKey = parse(key.name, 'a key without a passphrase', () => createPrivateKey(key.text))
  if (!certificate.checkPrivateKey(privateKey))
    throw new SettingError(`${key.name} must be the key of ${chain.name}, but is another one`)
  const names = namesOf(certificate)
  if (!names.includes(host) && !names.includes(wildcardOf(host)))
    throw new SettingError(
      `${chain.name} must be valid for ${host}, but is for ${names.join(', ') || 'no host'}`,
    )
  parse(chain.name, 'a certificate and its chain', () =>
    createSecureContext({ ...tlsPolicy, cert: chain.text, key: key.text }),
  )
  return {
    certificate: chain.text,
    key: key.text,
    etag: createHash('sha256').update(chain.text).update(key.text).digest('hex'),
    names,
    validUntil: certificate.validToDate,
  }
}

/**
 * The certificates of files, read again when they change, until the signal aborts. An invalid file
 * is logged, and the previous certificate stays in use. Throws a `SettingError` for a file that is
 * invalid at the start.
 */
export function openCertificateFiles(
  files: readonly CertificateFile[],
  log: Pick<Log, 'info' | 'warn'>,
  signal: AbortSignal,
  rereadMs = defaultRereadMs,
): Certificates {
  const current = new Map(files.map((file) => [file, readCertificateFile(file)]))
  const warnings = new Map<CertificateFile, string>()
  let byName = new Map<string, Certificate>()

  function index() {
    for (const [{ setting }, { validUntil }] of current) setCertificateExpiry(setting, validUntil)
    byName = new Map(
      [...current.values()].flatMap((read) => read.names.map((name) => [name, read] as const)),
    )
  }

  function warn(file: CertificateFile, message: string) {
    if (warnings.get(file) === message) return
    warnings.set(file, message)
    log.warn({ setting: file.setting }, message)
  }

  function reread(file: CertificateFile) {
    const previous = current.get(file)
    try {
      const read = readCertificateFile(file)
      if (read.validUntil.getTime() < Date.now())
        warn(file, `${file.setting}_CERTIFICATE has expired on ${read.validUntil.toISOString()}`)
      else warnings.delete(file)
      if (read.etag === previous?.etag) return
      current.set(file, read)
      index()
      log.info({ setting: file.setting }, 'a certificate was read from its file again')
    } catch (error) {
      // Expected while only one of the two files has been replaced.
      warn(file, `${reasonOf(error)}: the former certificate stays in use`)
    }
  }

  const rereadAll = () => files.forEach(reread)
  index()
  rereadAll()
  const timer = setInterval(rereadAll, rereadMs).unref()

  signal.addEventListener('abort', () => clearInterval(timer), { once: true })

  return {
    find: (host) => byName.get(host) ?? byName.get(wildcardOf(host)),
  }
}
