import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  X509Certificate as ParsedCertificate,
} from '@peculiar/x509'
import { AcmeError } from './certificates.acme-error.ts'
import { clockTolerance } from './certificates.policy.ts'
import type { CertificateWithKey } from './certificates.with-key.ts'

/** The most certificates in a chain (CAs send two to four), and the most characters of all. */
const maxCertificates = 10
const maxLength = 100_000

const pemPattern = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

export type IssuedCertificate = {
  certificateWithKey: CertificateWithKey
  fingerprint: string
  issuer: string
  renewalId: string | null
  startsAt: Date
  expiresAt: Date
}

const untrusted = (detail: string) => new AcmeError('malformed', { detail })

/**
 * Reads what the CA issued (RFC 8555 §9.1). Throws an `AcmeError` when it is not the certificate
 * of this host and key, or not valid now.
 */
export function readChain(
  pem: string,
  { host, key, now }: { host: string; key: string; now: Date },
): IssuedCertificate {
  const parts = pem.length <= maxLength ? (pem.match(pemPattern) ?? []) : []
  if (parts.length === 0 || parts.length > maxCertificates)
    throw untrusted('The certificate authority sent no certificate.')
  const chain = parts.map((part) => `${part}\n`)
  let certificates: X509Certificate[]
  try {
    certificates = chain.map((part) => new X509Certificate(part))
  } catch {
    throw untrusted('The certificate authority sent a certificate that cannot be read.')
  }
  const [leaf, issuer] = certificates as [X509Certificate, X509Certificate | undefined]
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw untrusted('The certificate authority sent a certificate for another key.')
  if (!isFor(leaf, host))
    throw untrusted('The certificate authority sent a certificate for another host.')
  if (issuer && !leaf.verify(issuer.publicKey))
    throw untrusted('The certificate authority sent a chain in a wrong order.')
  const [startsAt, expiresAt] = [leaf.validFromDate, leaf.validToDate]
  if (startsAt.getTime() > now.getTime() + clockTolerance || expiresAt <= now)
    throw new AcmeError('clock', {
      detail: `The certificate is valid from ${startsAt.toISOString()} to ${expiresAt.toISOString()}, and here it is ${now.toISOString()}.`,
    })
  return {
    certificateWithKey: { chain, key },
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    issuer: issuerName(leaf),
    renewalId: renewalIdOf(leaf),
    startsAt,
    expiresAt,
  }
}

/** True when the certificate names the host, or the wildcard, itself. */
const isFor = ({ subjectAltName = '' }: X509Certificate, host: string) =>
  subjectAltName.toLowerCase().split(', ').includes(`dns:${host}`)

/** The organization that issued a certificate, else the name of its key. */
function issuerName({ issuer }: X509Certificate): string {
  const find = (attribute: string) =>
    new RegExp(`^${attribute}=(.+)$`, 'm').exec(issuer)?.[1]?.trim()
  return (find('O') ?? find('CN') ?? issuer).slice(0, 100)
}

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

/** The name of a certificate for renewal information (RFC 9773 §4.1); null without a key id. */
export function renewalIdOf(leaf: X509Certificate): string | null {
  const keyId = new ParsedCertificate(leaf.raw).getExtension(AuthorityKeyIdentifierExtension)?.keyId
  // DER puts a zero byte before a number whose first bit would otherwise be its sign.
  const sign = /^[89a-f]/i.test(leaf.serialNumber) ? '00' : ''
  return keyId ? `${base64url(keyId)}.${base64url(sign + leaf.serialNumber)}` : null
}
