import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AcmeWorld, createAcmeWorld } from './certificates.acme.fixture.ts'
import { requestOwnCertificates } from './certificates.service.ts'
import { listOwn } from './certificates.store.ts'
import { hasPebble } from './pebble.fixture.ts'

describe.skipIf(!(await hasPebble()))('ACME_DNS_HOOK', () => {
  let acme: AcmeWorld
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-hook-'))
    acme = await createAcmeWorld({
      PUBLIC_URL: 'https://console.example.com',
      SITES_DOMAIN: 'sites.example.com',
      SITES_TLS_PORT: 443,
    })
  })
  afterAll(async () => {
    await acme?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** A hook that runs the statements with `action`, `name` and `value`, and records its calls. */
  async function useHook(name: string, statements: string) {
    const [file, record] = [join(folder, name), join(folder, `${name}.log`)]
    await writeFile(record, '')
    await writeFile(
      file,
      `#!${process.execPath}
      const [, , action, name, value] = process.argv
      require('node:fs').appendFileSync(${JSON.stringify(record)}, JSON.stringify({ action, name, value, secrets: Object.keys(process.env).filter((key) => /URL|KEY/.test(key)) }) + '\\n')
      ${statements}`,
    )
    await chmod(file, 0o755)
    acme.ctx.env.ACME_DNS_HOOK = file
    return async () =>
      (await readFile(record, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
  }

  const wildcard = '*.sites.example.com'
  const order = async (host: string) => {
    await requestOwnCertificates(acme.ctx)
    await acme.process(host)
    return acme.statusOf(host)
  }

  it('a hook that fails is a problem of the service, and its output is logged', async () => {
    await useHook('failing', `console.error('the zone is locked'); process.exit(3)`)
    expect(await order(wildcard)).toMatchObject({
      state: 'failed',
      problem: 'internal',
      detail: 'The DNS hook ended with 3.',
    })
    expect(acme.logged.find((line) => line.includes('the DNS hook failed'))).toContain(
      'the zone is locked',
    )
  })

  it('adds and removes the records of the wildcard and of the console', async () => {
    process.env.TEST_SECRET_KEY = 'secret'
    const calls = await useHook(
      'working',
      `fetch('${acme.pebble.dnsManagement}/' + (action === 'add' ? 'set-txt' : 'clear-txt'), {
        method: 'POST',
        body: JSON.stringify({ host: name + '.', value }),
      })`,
    )
    for (const host of [wildcard, 'console.example.com'])
      await acme.later(3_600_000, async () => {
        expect(await order(host)).toMatchObject({ state: 'active', problem: null })
      })
    delete process.env.TEST_SECRET_KEY
    const made = await calls()
    for (const name of [
      '_acme-challenge.sites.example.com',
      '_acme-challenge.console.example.com',
    ]) {
      const callsOfName = made.filter((call) => call.name === name)
      expect(callsOfName.map(({ action }) => action)).toEqual(['add', 'remove'])
      expect(callsOfName[0].value).toMatch(/^[\w-]{43}$/)
      expect(callsOfName[1].value).toBe(callsOfName[0].value)
    }
    expect(made.flatMap(({ secrets }) => secrets)).toEqual([])
    expect((await acme.leafOf(wildcard)).subjectAltName).toBe(`DNS:${wildcard}`)
  })

  it('is not needed for the console, and without it the wildcard is dropped', async () => {
    acme.ctx.env.ACME_DNS_HOOK = undefined
    await requestOwnCertificates(acme.ctx)
    expect(await listOwn(acme.ctx.db)).toEqual([
      { host: 'console.example.com', challenge: 'http-01' },
    ])
  })
})
