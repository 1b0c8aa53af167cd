import { createHash, randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 3_600_000

export async function createCertificateAuthority() {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const name = 'CN=Authority of a test'
  const validity = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) }
  const ca = await X509CertificateGenerator.createSelfSigned({
    name,
    ...validity,
    signingAlgorithm: algorithm,
    keys,
    extensions: [new BasicConstraintsExtension(true)],
  })

  return {
    /** The root certificate that clients trust, as PEM. */
    pem: ca.toString('pem'),

    /** A new certificate for these names, with a new key, as PEM. */
    async issue(...names: string[]) {
      const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, true, [
        'sign',
        'verify',
      ])
      const issued = await X509CertificateGenerator.create({
        subject: `CN=${names[0]}`,
        issuer: name,
        serialNumber: randomInt(2 ** 40)
          .toString(16)
          .padStart(12, '0'),
        ...validity,
        signingAlgorithm: algorithm,
        signingKey: keys.privateKey,
        publicKey,
        extensions: [
          new SubjectAlternativeNameExtension(
            names.map((value) => ({
              type: isIP(value) ? ('ip' as const) : ('dns' as const),
              value,
            })),
          ),
        ],
      })
      const certificate = issued.toString('pem')
      return {
        certificate,
        key: PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY'),
        etag: createHash('sha256').update(certificate).digest('hex'),
      }
    },
  }
}
