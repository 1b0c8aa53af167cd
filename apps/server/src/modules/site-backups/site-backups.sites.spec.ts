import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { createProject, type ProjectKey, viewProject } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import {
  createSiteBackup,
  downloadSiteBackup,
  listSiteBackups,
  restoreSiteBackup,
} from '@slipway/contract/site-backups'
import tar from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../testing/archives.ts'
import { httpGet } from '../../testing/http-get.ts'
import { hasSandbox } from '../../testing/sandbox.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'

/** A program with a SQLite database, to which each request of `/add` adds a row. */
const program = `
  const { DatabaseSync } = require('node:sqlite')
  const { writeFileSync } = require('node:fs')
  const db = new DatabaseSync('/data/shop.db')
  db.exec('pragma journal_mode = wal; create table if not exists orders (id integer primary key)')
  require('node:http').createServer((request, response) => {
    if (request.url === '/add') db.exec('insert into orders default values')
    writeFileSync('/data/başlık.txt', 'ğ')
    const { count } = db.prepare('select count(*) as count from orders').get()
    response.end(JSON.stringify({ count, pid: process.pid, variables: process.env.MODE ?? null }))
  }).listen(process.env.PORT)`

describe.skipIf(!(await hasSandbox()))('the backups of a Node site with a database', () => {
  let world: World
  let owner: TestUser
  beforeAll(async () => {
    world = await createWorld()
    owner = await world.user()
    await world.host()
    await world.startWorkers()
  })
  afterAll(() => world.close())

  const page = async (key: ProjectKey, path = '/') => {
    const { status, body } = await httpGet({ port: world.env.SITES_PORT }, path, {
      host: `${key}.localhost`,
    })
    return status === 200 && (JSON.parse(body) as { count: number })
  }

  it('are made while it runs, downloaded, and restored in place and into a new project', async () => {
    const { call, teamId } = owner
    const { id, key } = await call(createProject, {
      body: { name: 'Shop', teamId, regionId: 'eu', domain: null, runtime: 'node' },
    })
    const params = { id }
    const files = { 'package.json': '{"main":"app.js"}', 'app.js': program }
    const body = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
    const { number } = await call(createRelease, { params, query: {}, body })
    const ended = await until(async () => {
      const view = { params: { id, number: String(number) } }
      const release = await call(viewRelease, view)
      return release.state !== 'checking' && release
    })
    expect(ended).toMatchObject({ failure: null, log: expect.anything() })
    await until(() => page(key))
    for (const _ of [1, 2, 3]) await page(key, '/add')

    const { id: backupId } = await call(createSiteBackup, { params })
    const list = () => call(listSiteBackups, { params, query: {} })
    await until(async () => (await list()).items[0]?.state === 'ready')
    expect((await list()).items[0]).toMatchObject({ id: backupId, release: 1, failure: null })
    await page(key, '/add')
    expect(await page(key)).toMatchObject({ count: 4 })

    const file = await call(downloadSiteBackup, { params: { id, backupId } })
    expect(file.name).toMatch(new RegExp(`^${key}-\\d{8}T\\d{6}Z\\.tar\\.gz$`))
    const extract = tar.extract()
    extract.end(gunzipSync(await buffer(file.content)))
    const names: string[] = []
    for await (const entry of extract) {
      names.push(entry.header.name)
      entry.resume()
    }
    expect(names).toContain('shop.db')
    expect(names).toContain('başlık.txt')
    expect(names.filter((name) => /-wal|-shm/.test(name))).toEqual([])

    await call(restoreSiteBackup, { params, body: { backupId } })
    const { restore } = await until(async () => {
      const current = await list()
      return current.restore?.step === null && current
    })
    expect(restore).toMatchObject({ failure: null })
    expect(await until(() => page(key))).toMatchObject({ count: 3 })

    const copy = await call(restoreSiteBackup, {
      params,
      body: { backupId, newProjectName: 'Shop copy' },
    })
    await until(async () => {
      const { state } = await call(viewProject, { params: { key: copy.key } })
      return state === 'ready'
    })
    expect(await until(() => page(copy.key))).toMatchObject({ count: 3 })
    expect(await page(copy.key, '/add')).toMatchObject({ count: 4 })
    expect(await page(key)).toMatchObject({ count: 3 })
  })
})
