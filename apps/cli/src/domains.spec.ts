import type { ServerResponse } from 'node:http'
import type { ProjectDomain } from '@slipway/contract/domains'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import { createProject } from '@slipway/contract/projects'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest'
import { createDnsServer, type DnsServer } from '../../server/src/testing/dns-server.ts'
import { until } from '../../server/src/testing/until.ts'
import { type Cli, createCli } from './cli.fixture.ts'
import { type CliWorld, createCliWorld } from './cli-world.fixture.ts'
import { createRelay, reject } from './relay.fixture.ts'

const gateway = 'gateway-eu.localhost'
const aRecordPattern = (host: string) =>
  new RegExp(`A +${host.replaceAll('.', '\\.')} +127\\.0\\.0\\.1`)
const addedWithoutRecords = 'Added. See the record to create: slipway domains check\n'

let dns: DnsServer
let service: CliWorld
let world: CliWorld['world']
let newSite: CliWorld['newSite']
let cli: Cli

beforeAll(async () => {
  dns = await createDnsServer({ [gateway]: { a: ['127.0.0.1'] } })
  service = await createCliWorld({ DOMAIN_PROOF: 'dns', DNS_SERVERS: [dns.address] })
  ;({ world, newSite } = service)
})
afterAll(async () => {
  await service.close()
  await dns.close()
})

beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
})
afterEach(() => cli.remove())

describe('slipway domains', () => {
  it('adds a domain, and reports its missing record until the domain is active', async () => {
    const { env } = await newSite()
    const host = 'www.cli-checked.example'
    const run = (...args: string[]) => cli.run(['domains', ...args], env)
    expect((await run()).output).toBe('No domains\n')
    const added = await run('add', host)
    expect({ code: added.code, errors: added.errors }).toEqual({ code: 0, errors: '' })
    expect(added.output).toMatch(/CNAME +www\.cli-checked\.example +gateway-eu\.localhost/)
    expect((await run('list')).output).toMatch(/cli-checked\.example +Waiting for DNS +Primary/)

    const missing = await until(async () => {
      const result = await run('check')
      return result.output.includes('To do') && result
    })
    expect(missing.code).toBe(1)
    expect(missing.output).toContain(`${host}  Waiting for DNS\n  DNS record: To do\n`)
    expect(missing.output).toContain(`There's no record for ${host} yet.`)
    expect(missing.output).toMatch(/CNAME +www\.cli-checked\.example +gateway-eu\.localhost/)

    dns.set(host, { cname: gateway })
    const working = await until(async () => {
      const result = await run('check', host)
      return result.code === 0 && result
    })
    expect(working.output).toContain(`${host}  Active\n  DNS record: Done\n`)
    const [listed] = JSON.parse((await run('--json')).output)
    expect(listed).toMatchObject({ host, state: 'active', role: 'primary' })
  })

  it('prints A records for an apex domain, which cannot have a CNAME', async () => {
    const { env } = await newSite()
    const added = await cli.run(['domains', 'add', 'cli-registered.example'], env)
    expect(added.output).toMatch(aRecordPattern('cli-registered.example'))
    expect(added.output).not.toContain('CNAME')
  })

  /** Adds an apex domain; `intercept` handles the polls for its records. */
  async function addWithPolls(host: string, intercept: (response: ServerResponse) => void) {
    const { env } = await newSite()
    const relay = await createRelay(service.url, (request, response) => {
      if (!request.url?.includes('/domain/all/')) return false
      intercept(response)
      return true
    })
    onTestFinished(relay.close)
    const added = cli.start(['domains', 'add', host], { ...env, SLIPWAY_URL: relay.url })
    const waitForRecord = () =>
      until(async () => {
        const { output } = await cli.run(['domains', 'check', host], env)
        return output.includes('To do') && output
      })
    return { ...added, waitForRecord }
  }

  it('says that the domain is added when its records cannot be read', async () => {
    const host = 'cli-unread.example'
    const { result, ended, waitForRecord } = await addWithPolls(host, (response) =>
      reject(response, 'internal_error'),
    )
    expect((await ended)[0]).toBe(0)
    expect(result).toEqual({ output: addedWithoutRecords, errors: '' })
    expect(await waitForRecord()).toMatch(aRecordPattern(host))
  })

  it('says that the domain is added when Ctrl-C ends the wait for its records', async () => {
    const host = 'cli-interrupted.example'
    let confirmPolled = () => {}
    const polled = new Promise<void>((resolve) => {
      confirmPolled = resolve
    })
    const { child, result, ended, waitForRecord } = await addWithPolls(host, () => confirmPolled())
    await polled
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(0)
    expect(result).toEqual({ output: addedWithoutRecords, errors: '' })
    expect(await waitForRecord()).toMatch(aRecordPattern(host))
  })

  it('shows no record to create while name servers do not respond', async () => {
    const { env } = await newSite()
    const host = 'www.cli-broken.example'
    dns.set(host, 'SERVFAIL')
    await cli.run(['domains', 'add', host], env)
    const failed = await until(async () => {
      const result = await cli.run(['domains', 'check'], env)
      return result.output.includes('Problem') && result
    })
    expect(failed.output).toContain('The name servers of the domain')
    expect(failed.output).not.toContain('CNAME')
  })

  it('shows the TXT record for a domain that another team uses', async () => {
    const host = 'www.cli-taken.example'
    dns.set(host, { cname: gateway })
    const firstSite = await newSite()
    await cli.run(['domains', 'add', host], firstSite.env)
    await until(async () => (await cli.run(['domains', 'check'], firstSite.env)).code === 0)
    const stranger = await world.user()
    const { id } = await stranger.call(createProject, {
      body: { name: 'Other', teamId: stranger.teamId, regionId: 'eu', domain: host },
    })
    const { token } = await stranger.call(createPersonalToken, {
      body: { name: 'Test', projectIds: [id] },
    })
    const output = await until(async () => {
      const { output } = await cli.run(['domains', 'check'], { SLIPWAY_TOKEN: token })
      return output.includes('Another team uses') && output
    })
    expect(output).toMatch(/TXT +_slipway\.www\.cli-taken\.example +slipway-[0-9a-f]{32}/)
  })

  it('makes a domain the primary one, removes another, and rejects unknown domains', async () => {
    const { env } = await newSite()
    const run = (...args: string[]) => cli.run(['domains', ...args], env)
    await run('add', 'www.cli-roles.example')
    await run('add', 'CLI-Roles.Example.')
    expect(await run('primary', 'cli-roles.example')).toMatchObject({
      code: 0,
      output: 'cli-roles.example is now the primary domain\n',
    })
    const roles = async () =>
      JSON.parse((await run('--json')).output).map(({ host, role }: ProjectDomain) => [host, role])
    expect(await roles()).toEqual([
      ['cli-roles.example', 'primary'],
      ['www.cli-roles.example', 'alias'],
    ])
    expect((await run('remove', 'www.cli-roles.example')).output).toBe(
      'www.cli-roles.example was removed\n',
    )
    expect(await roles()).toEqual([['cli-roles.example', 'primary']])
    for (const command of ['check', 'primary', 'remove'])
      expect(await run(command, 'www.cli-roles.example')).toMatchObject({
        code: 1,
        errors: expect.stringContaining('no domain www.cli-roles.example'),
      })
    expect((await run('add', '*.cli-roles.example')).code).toBe(1)
    expect((await run('primary')).code).toBe(2)
  })
})
