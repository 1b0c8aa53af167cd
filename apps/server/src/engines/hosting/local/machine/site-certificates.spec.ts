import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCertificateAuthority } from '../../../../testing/certificate-authority.ts'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { createHostingWorld, startHostingWorld } from '../../../../testing/hosting-world.ts'
import { hasSandbox } from '../../../../testing/sandbox.ts'
import { instance } from '../fixtures/local-engine.fixture.ts'
import { artifactOf, serverOf } from '../runtimes/node/node-site.fixture.ts'
import { startInternet } from '../runtimes/php/internet.fixture.ts'
import { canRunPhp, startPhpWorld } from '../runtimes/php/php-world.fixture.ts'

async function fileOf(pem: string) {
  const path = join(await createDataFolder(), 'authority.pem')
  await writeFile(path, pem)
  return path
}

/** A console whose certificate a private authority signed; it has only the metadata. */
async function startConsole() {
  const authority = await createCertificateAuthority()
  const { key, certificate: cert } = await authority.issue('127.0.0.1')
  const server = createServer({ key, cert }, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth/code`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
      }),
    )
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, authority: authority.pem }
}

const canSandbox = await hasSandbox()
const canPhp = await canRunPhp()

const signInPath = '/yk/app/auth/oauth/cloud'

describe('certificate authorities of the operator (NODE_EXTRA_CA_CERTS)', () => {
  it('let a starter site sign in by a console behind a private authority', async () => {
    const { issuer, authority } = await startConsole()
    const world = await startHostingWorld({ extraCertificates: await fileOf(authority) })
    await world.applyUntilHealthy(
      instance('example', { signIn: { issuer, clientId: 'example', clientSecret: 'example' } }),
    )
    const { status, headers } = await world.visit('example', signInPath)
    expect([status, new URL(String(headers.location)).origin]).toEqual([303, issuer])
  })

  it('the log of a site without them says which connection failed and why', async () => {
    const { issuer } = await startConsole()
    const printed: string[] = []
    const world = await startHostingWorld({
      output: {
        add: (_key, _source, { text }) => void printed.push(text),
        flush: async () => undefined,
      },
    })
    await world.applyUntilHealthy(
      instance('example', { signIn: { issuer, clientId: 'example', clientSecret: 'example' } }),
    )
    expect((await world.visit('example', signInPath)).status).toBe(503)
    await expect.poll(() => printed.join()).toContain(`No connection to ${issuer}: `)
    expect(printed.join()).toContain('(UNABLE_TO_VERIFY_LEAF_SIGNATURE)')
  })

  it.skipIf(!canSandbox)('are trusted by Node apps', async () => {
    const { urls, hosts, authority, mayConnect } = await startInternet()
    const world = await startHostingWorld({
      mayConnect,
      extraCertificates: await fileOf(authority),
    })
    const artifact = await artifactOf(world, {
      'package.json': JSON.stringify({ main: 'server.js' }),
      'server.js': serverOf(`await (await fetch('${urls[1]}')).text()`),
    })
    await world.applyUntilHealthy(instance('app', { runtime: 'node', artifact }))
    expect((await world.visit('app', '/')).body).toBe(`GET /a?b=c ${hosts[1]}`)
  })

  it.skipIf(!canPhp)('are trusted by PHP, which has no others', async () => {
    const { urls, hosts, authority, mayConnect } = await startInternet()
    const page = { 'index.php': `<?php echo @file_get_contents('${urls[1]}') ?: 'rejected';` }
    const trusting = await startPhpWorld({ mayConnect, extraCertificates: await fileOf(authority) })
    await trusting.deploy('blog', page)
    expect(await trusting.bodyOf('blog')).toBe(`GET /a?b=c ${hosts[1]}`)
    const otherWorld = await startPhpWorld({ mayConnect })
    await otherWorld.deploy('blog', page)
    expect(await otherWorld.bodyOf('blog')).toBe('rejected')
  })

  it('stop the start with the name of a file that cannot be read', async () => {
    const world = await createHostingWorld({ extraCertificates: '/nowhere/authority.pem' })
    await expect(world.start()).rejects.toThrow(/^NODE_EXTRA_CA_CERTS cannot be read: ENOENT/)
  })
})
