import { createDomain, deleteDomain, listDomains } from '@slipway/contract/domains'
import { createProject } from '@slipway/contract/projects'
import { createRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../../testing/archives.ts'
import { httpGet } from '../../../testing/http-get.ts'
import { hasSandbox } from '../../../testing/sandbox.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'

const program = `
  require('node:http').createServer(async (request, response) => {
    const url = request.headers['x-request']
    response.end(url ? await fetch(url).then((own) => own.text()) : 'own page of ' + process.pid)
  }).listen(process.env.PORT)`

describe.skipIf(!(await hasSandbox()))('a Node app that requests its own domain', () => {
  let world: World
  let owner: TestUser
  beforeAll(async () => {
    world = await createWorld()
    owner = await world.user()
    await world.host()
    await world.startWorkers()
  })
  afterAll(() => world.close())

  it('gets its page as soon as the domain is added, without a restart, until it is deleted', async () => {
    const { call, teamId } = owner
    const { id, key } = await call(createProject, {
      body: { name: 'Example shop', teamId, regionId: 'eu', domain: null, runtime: 'node' },
    })
    const params = { id }
    const files = { 'package.json': '{"main":"app.js"}', 'app.js': program }
    const body = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
    await call(createRelease, { params, query: {}, body })
    const page = async (headers: Record<string, string> = {}) => {
      const gateway = { port: world.env.SITES_PORT }
      return (await httpGet(gateway, '/', { host: `${key}.localhost`, ...headers })).body
    }
    const firstPage = await until(async () => {
      const shown = await page()
      return shown.startsWith('own page') && shown
    })
    const ownDomainResponse = () =>
      page({ 'x-request': `http://shop.example:${world.env.SITES_PORT}/` })
    expect(await ownDomainResponse()).toContain('shop.example has no address')

    await call(createDomain, { params, body: { domain: 'shop.example', withCounterpart: false } })
    await until(async () => (await ownDomainResponse()) === firstPage)
    const [domain] = await call(listDomains, { params })
    if (!domain) throw new Error('The domain is missing')
    await call(deleteDomain, { params: { id, domainId: domain.id } })
    await until(async () => (await ownDomainResponse()).includes('shop.example has no address'))
    expect(await page()).toBe(firstPage)
  })
})
