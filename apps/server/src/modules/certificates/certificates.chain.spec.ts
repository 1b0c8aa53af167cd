import { X509Certificate } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { day, hour, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { AcmeError } from './certificates.acme-error.ts'
import { readChain, renewalIdOf } from './certificates.chain.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const now = new Date('2026-11-02T09:00:00Z')
const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
const pemOf = async (key: CryptoKey) =>
  PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

async function issue({
  names = ['shop.example'],
  from = new Date(now.getTime() - hour),
  to = new Date(now.getTime() + 90 * day),
  issuerName = 'O=Example Trust, CN=E1',
  keyId = '00'.repeat(20),
  serialNumber = '01',
}: {
  names?: string[]
  from?: Date
  to?: Date
  issuerName?: string
  keyId?: string
  serialNumber?: string
} = {}) {
  const [root, keys] = [await newKeys(), await newKeys()]
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: issuerName,
    keys: root,
    signingAlgorithm: algorithm,
    notBefore: from,
    notAfter: to,
  })
  const leaf = await X509CertificateGenerator.create({
    subject: '',
    issuer: issuerName,
    serialNumber,
    notBefore: from,
    notAfter: to,
    signingAlgorithm: algorithm,
    signingKey: root.privateKey,
    publicKey: keys.publicKey,
    extensions: [
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
      new AuthorityKeyIdentifierExtension(keyId),
    ],
  })
  return {
    leaf: leaf.toString('pem'),
    issuerPem: ca.toString('pem'),
    key: await pemOf(keys.privateKey),
  }
}

const read = (pem: string, key: string, host = 'shop.example') => readChain(pem, { host, key, now })
const errorOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof AcmeError) return { type: error.type, detail: error.message }
    throw error
  }
  return undefined
}

describe('an issued chain', () => {
  it('is read with its issuer, its times and its fingerprint', async () => {
    const { leaf, issuerPem, key } = await issue()
    const issued = read(`${leaf}\r\n\n${issuerPem}\ncomment`, key)
    expect(issued).toMatchObject({
      issuer: 'Example Trust',
      startsAt: new Date(now.getTime() - hour),
      expiresAt: new Date(now.getTime() + 90 * day),
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(
      issued.certificateWithKey.chain.map((part) => new X509Certificate(part).subject),
    ).toHaveLength(2)
    expect(issued.certificateWithKey.key).toBe(key)
  })

  it('names the issuer by its common name if it has no organization', async () => {
    const { leaf, key } = await issue({ issuerName: 'CN=R13' })
    expect(read(leaf, key).issuer).toBe('R13')
  })

  it('a chain with a wildcard is accepted for the wildcard itself and for no other host', async () => {
    const { leaf, key } = await issue({ names: ['*.sites.example'] })
    expect(read(leaf, key, '*.sites.example').issuer).toBe('Example Trust')
    for (const host of ['a.sites.example', 'sites.example', '*.example'])
      expect(errorOf(() => read(leaf, key, host))?.detail).toMatch(/another host/)
  })

  it('is rejected for another key or host, from another issuer, and with the issuer first', async () => {
    const [firstIssued, secondIssued] = [await issue(), await issue()]
    expect(errorOf(() => read(firstIssued.leaf, secondIssued.key))?.detail).toMatch(/another key/)
    expect(errorOf(() => read(firstIssued.leaf, firstIssued.key, 'bank.example'))?.detail).toMatch(
      /another host/,
    )
    expect(
      errorOf(() => read(firstIssued.leaf + secondIssued.issuerPem, firstIssued.key))?.detail,
    ).toMatch(/wrong order/)
    expect(
      errorOf(() => read(firstIssued.issuerPem + firstIssued.leaf, firstIssued.key))?.type,
    ).toBe('malformed')
  })

  it.each([
    ['expired', -2 * day, -1],
    ['not valid yet', 6 * minute, day],
  ])('is rejected as a problem of the clock when it is %s', async (_, from, to) => {
    const { leaf, key } = await issue({
      from: new Date(now.getTime() + from),
      to: new Date(now.getTime() + to),
    })
    expect(errorOf(() => read(leaf, key))?.type).toBe('clock')
  })

  it('may start in the future within the clock tolerance', async () => {
    const { leaf, key } = await issue({ from: new Date(now.getTime() + 4 * minute) })
    expect(read(leaf, key).issuer).toBe('Example Trust')
  })
})

describe('the certificate identifier for ACME Renewal Information', () => {
  it('is that of the example of RFC 9773', async () => {
    const keyId = '69885b6b87464041e1b37b847ba0ae2cde01c8d4'
    const { leaf } = await issue({ keyId, serialNumber: '87654321' })
    expect(renewalIdOf(new X509Certificate(leaf))).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
  })
})
