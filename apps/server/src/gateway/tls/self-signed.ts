import type { Certificate } from './certificates.ts'

const lifetimeMs = 10 * 365 * 24 * 3_600_000

/**
 * A new certificate for connections to names that have none. It names nothing: a scanner learns
 * neither the sites here nor the software.
 */
export async function createSelfSigned(now: Date): Promise<Certificate> {
  // Loaded only by a process that serves TLS.
  const { PemConverter, X509CertificateGenerator } = await import('@peculiar/x509')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=invalid',
      // A day early: the clocks of visitors differ.
      notBefore: new Date(now.getTime() - 24 * 3_600_000),
      notAfter: new Date(now.getTime() + lifetimeMs),
      signingAlgorithm: algorithm,
      keys,
    },
    crypto,
  )
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: certificate.toString('pem'),
    key: PemConverter.encode(key, 'PRIVATE KEY'),
    etag: 'self-signed',
  }
}
