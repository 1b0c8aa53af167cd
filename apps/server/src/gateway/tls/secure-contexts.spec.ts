import { describe, expect, it } from 'vitest'
import { createCertificateAuthority } from '../../testing/certificate-authority.ts'
import { createLogBook } from '../../testing/log-book.ts'
import { createSecureContexts } from './secure-contexts.ts'

describe('the TLS contexts of names', () => {
  it('are cached for a thousand certificates, however many names clients send', async () => {
    const issued = await (await createCertificateAuthority()).issue('site.test')
    const { log, lines } = createLogBook()
    // Each name has its own certificate, by its etag, unless it starts with `unknown`.
    const find = (host: string) =>
      host.startsWith('unknown') ? undefined : { ...issued, etag: host }
    const contexts = createSecureContexts({ find }, log)
    const first = contexts.find('first.test')
    for (let name = 0; name < 10_000; name++)
      expect(contexts.find(`unknown-${name}.test`)).toBeUndefined()
    expect(contexts.find('first.test')).toBe(first)
    for (let name = 0; name < 1_000; name++) contexts.find(`name-${name}.test`)
    expect(contexts.find('first.test')).not.toBe(first)
    expect(lines).toEqual([])
  })
})
