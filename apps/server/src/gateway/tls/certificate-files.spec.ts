import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCertificateAuthority } from '../../testing/certificate-authority.ts'
import { createLogBook } from '../../testing/log-book.ts'
import { until } from '../../testing/until.ts'
import { certificateFiles, openCertificateFiles, readCertificateFile } from './certificate-files.ts'
import type { Certificate } from './certificates.ts'

const host = '*.sites.test'

async function createFile() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-certificate-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = {
    setting: 'SITES_TLS',
    certificate: join(folder, 'chain.pem'),
    key: join(folder, 'key.pem'),
    host,
  }
  const authority = await createCertificateAuthority()
  return {
    file,
    authority,
    async write({ certificate, key }: Pick<Certificate, 'certificate' | 'key'>) {
      await writeFile(file.certificate, certificate)
      await writeFile(file.key, key)
    },
  }
}

async function openFiles() {
  const { file, authority, write } = await createFile()
  await write(await authority.issue(host, 'sites.test'))
  const { log, lines } = createLogBook()
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const { find } = openCertificateFiles([file], log, closing.signal, 5)
  return { file, authority, write, find, lines }
}

describe('the files of a certificate', () => {
  it('serve the names of the certificate, and no others', async () => {
    const { find } = await openFiles()
    const wildcard = find('a.sites.test')
    expect(wildcard?.certificate).toContain('BEGIN CERTIFICATE')
    expect(find('sites.test')).toBe(wildcard)
    for (const otherName of ['a.b.sites.test', 'sites.test.evil.test', 'test', ''])
      expect(find(otherName)).toBeUndefined()
  })

  it('are read again when they change', async () => {
    const { authority, write, find } = await openFiles()
    const former = find('a.sites.test')
    await write(await authority.issue(host))
    await until(() => find('a.sites.test')?.etag !== former?.etag)
    expect(find('sites.test')).toBeUndefined()
  })

  it('are in the metrics with the time that is left', async () => {
    const { find } = await openFiles()
    const { validToDate } = new X509Certificate(find('a.sites.test')?.certificate ?? '')
    const secondsLeft = () => (validToDate.getTime() - Date.now()) / 1_000
    const before = secondsLeft()
    const text = await register.getSingleMetricAsString('slipway_certificate_file_left_seconds')
    const value = Number(/setting="SITES_TLS"\} (\S+)/.exec(text)?.[1])
    expect(value).toBeLessThanOrEqual(before)
    expect(value).toBeGreaterThanOrEqual(secondsLeft())
  })

  it('files that become invalid leave the former certificate in use, with one warning', async () => {
    const { file, authority, write, find, lines } = await openFiles()
    const former = find('a.sites.test')
    await rm(file.key)
    const warnings = () => lines.filter(({ level }) => level === 'warn')
    await until(() => warnings().length === 1)
    await write({ ...(await authority.issue(host)), key: 'no key' })
    await until(() => warnings().some(({ message }) => message.includes('without a passphrase')))
    expect(find('a.sites.test')).toBe(former)
    expect(new Set(warnings().map(({ message }) => message)).size).toBe(warnings().length)
    await write(await authority.issue(host))
    await until(() => find('a.sites.test') !== former)
  })

  it.each([
    ['that are missing', undefined, /^SITES_TLS_CERTIFICATE must be a file .*ENOENT/],
    [
      'that are not PEM',
      { certificate: 'noise', key: 'noise' },
      /^SITES_TLS_CERTIFICATE must be a cert/,
    ],
    ['with a wrong key', { key: 'noise' }, /^SITES_TLS_KEY must be a key without a passphrase/],
    [
      'with another key',
      {
        key: generateKeyPairSync('ec', {
          namedCurve: 'P-256',
          publicKeyEncoding: { type: 'spki', format: 'pem' },
          privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        }).privateKey,
      },
      /^SITES_TLS_KEY must be the key of SITES_TLS_CERTIFICATE, but is another one$/,
    ],
  ])('%s stop the start with the name of the setting', async (_what, wrong, message) => {
    const { file, authority, write } = await createFile()
    if (wrong) await write({ ...(await authority.issue(host)), ...wrong })
    expect(() => readCertificateFile(file)).toThrow(message)
  })

  it('files for another host stop the start, and the error names their hosts', async () => {
    const { file, authority, write } = await createFile()
    await write(await authority.issue('sites.test', 'b.a.sites.test'))
    expect(() => readCertificateFile(file)).toThrow(
      'SITES_TLS_CERTIFICATE must be valid for *.sites.test, but is for sites.test, b.a.sites.test',
    )
  })

  it('are those of the settings', () => {
    const env = {
      SITES_DOMAIN: 'sites.test',
      PUBLIC_URL: 'https://console.test:8443',
      SITES_TLS_CERTIFICATE: '/a',
      SITES_TLS_KEY: '/b',
      CONSOLE_TLS_CERTIFICATE: '/c',
      CONSOLE_TLS_KEY: '/d',
    }
    expect(certificateFiles(env)).toEqual([
      { setting: 'SITES_TLS', certificate: '/a', key: '/b', host: '*.sites.test' },
      { setting: 'CONSOLE_TLS', certificate: '/c', key: '/d', host: 'console.test' },
    ])
  })
})
