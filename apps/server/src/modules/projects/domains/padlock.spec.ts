import { once } from 'node:events'
import { get } from 'node:http'
import { get as getSecurely } from 'node:https'
import { text } from 'node:stream/consumers'
import { createDomain, listDomains } from '@slipway/contract/domains'
import { createProject, deleteProject, listProjects } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDnsServer, type DnsServer } from '../../../testing/dns-server.ts'
import { freePort } from '../../../testing/free-port.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { hasPebble, type Pebble, startPebble } from '../../certificates/pebble.fixture.ts'
import { check } from './project-domains.checks.ts'

describe.skipIf(!(await hasPebble()))('a custom domain, from its DNS records to HTTPS', () => {
  const host = 'shop.example'
  const gatewayRecords = { a: ['127.0.0.1'] }
  let world: World
  let dns: DnsServer
  let pebble: Pebble
  let owner: TestUser
  let tlsPort: number
  let sitesPort: number

  beforeAll(async () => {
    sitesPort = await freePort()
    tlsPort = await freePort()
    dns = await createDnsServer({ 'gateway-eu.localhost': gatewayRecords })
    pebble = await startPebble({ httpPort: sitesPort })
    const settings = {
      DNS_SERVERS: [dns.address],
      DOMAIN_PROOF: 'dns' as const,
      SITES_PORT: sitesPort,
      SITES_URL: `http://localhost:${sitesPort}`,
      SITES_TLS_PORT: tlsPort,
      ACME_DIRECTORY: pebble.directory,
      ACME_CA_FILE: pebble.caFile,
    }
    // The CA has the real time.
    world = await createWorld(settings, new Date())
    owner = await world.user()
    await world.host()
    await world.startWorkers()
  })
  afterAll(async () => {
    await world.close()
    await pebble.close()
    await dns.close()
  })

  const optionsOf = (name: string, path: string) => ({
    host: '127.0.0.1',
    path,
    headers: { host: name },
    agent: false as const,
  })
  async function request(name: string, path = '/') {
    const [response] = await once(get({ ...optionsOf(name, path), port: sitesPort }), 'response')
    return { status: response.statusCode, location: response.headers.location, response }
  }
  /** A visit by https whose certificate must be the CA's for this name. */
  async function requestSecurely(name: string, path = '/') {
    const ca = await pebble.root()
    const options = { ...optionsOf(name, path), port: tlsPort, servername: name, ca }
    const [response] = await once(getSecurely(options), 'response')
    return {
      status: response.statusCode,
      location: response.headers.location,
      body: await text(response),
    }
  }

  /** The gateway learns of a certificate by a notification; until then it sends its own one. */
  const untilSecure = (name: string, expected: number) =>
    until(() =>
      requestSecurely(name).then(
        ({ status }) => status === expected,
        () => false,
      ),
    )

  it('is proven, gets a certificate, redirects to https, and after the deletion of its project no other team gets it without a proof', async () => {
    const project = await owner.call(createProject, {
      body: { name: 'Example shop', teamId: owner.teamId, regionId: 'eu' },
    })
    const listed = async () =>
      (await owner.call(listProjects)).find((each) => each.id === project.id)
    await until(async () => (await listed())?.state === 'ready')
    const params = { id: project.id }
    const domains = () => owner.call(listDomains, { params })
    await owner.call(createDomain, { params, body: { domain: host, withCounterpart: true } })
    await until(async () => (await domains())[0]?.steps[0]?.problem === 'record_missing')
    expect((await request(host)).status).toBe(404)

    dns.set(host, gatewayRecords)
    dns.set(`www.${host}`, gatewayRecords)
    await until(async () => {
      // A check does nothing while the first one of its domain, without records, has not ended.
      for (const { id, state } of await domains())
        if (state === 'pending') await check(world.ctx, id)
      return (await domains()).every(({ certificate }) => certificate?.state === 'active')
    })
    expect((await domains())[0]?.steps.map(({ id, state }) => [id, state])).toEqual([
      ['record', 'done'],
      ['reach', 'done'],
      ['caa', 'done'],
      ['certificate', 'done'],
      ['renewal', 'done'],
    ])
    await until(async () => (await listed())?.state === 'ready')
    expect(await listed()).toMatchObject({ domain: host, domainState: 'active', secure: true })

    await untilSecure(host, 200)
    await untilSecure(`www.${host}`, 308)
    expect((await requestSecurely(host)).body).toContain('Example shop')
    expect(await request(host, '/menu?day=1')).toMatchObject({
      status: 308,
      location: `https://${host}:${tlsPort}/menu?day=1`,
    })
    expect(await requestSecurely(`www.${host}`, '/menu?day=1')).toMatchObject({
      status: 308,
      location: `https://${host}:${tlsPort}/menu?day=1`,
    })

    await owner.call(deleteProject, { params })
    const stranger = await world.user()
    const otherProject = await stranger.call(createProject, {
      body: { name: 'Other shop', teamId: stranger.teamId, regionId: 'eu', domain: host },
    })
    const otherParams = { params: { id: otherProject.id } }
    await until(async () => {
      const [domain] = await stranger.call(listDomains, otherParams)
      return domain?.steps[0]?.problem === 'proof_needed'
    })
    await until(async () => (await request(host)).status === 404)
    await expect(requestSecurely(host)).rejects.toThrow(/certificate|altnames/i)
  })
})
