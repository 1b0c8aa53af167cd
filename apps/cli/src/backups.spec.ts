import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import { listProjects } from '@slipway/contract/projects'
import { NoResponse } from '@slipway/terminal/command-error'
import { createTerminal } from '@slipway/terminal/terminal'
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
import { hasSandbox } from '../../server/src/testing/sandbox.ts'
import { until } from '../../server/src/testing/until.ts'
import { downloadBackup } from './backups.ts'
import { type Cli, createCli } from './cli.fixture.ts'
import { type CliWorld, createCliWorld } from './cli-world.fixture.ts'
import { defaultTimings } from './context.ts'
import { createRelay, reject } from './relay.fixture.ts'

const canRun = await hasSandbox()

/** A site that shows the name of its last guest, stored in a file. */
const guestBook = {
  'package.json': JSON.stringify({ scripts: { start: 'node server.js' } }),
  'server.js': `
    const { existsSync, readFileSync, writeFileSync } = require('node:fs')
    const file = '/data/guest.txt'
    require('node:http').createServer((request, response) => {
      const { searchParams } = new URL(request.url, 'http://site')
      if (searchParams.has('guest')) writeFileSync(file, searchParams.get('guest'))
      response.end(existsSync(file) ? readFileSync(file) : 'Nobody')
    }).listen(process.env.PORT)`,
}

let service: CliWorld
let cli: Cli

beforeAll(async () => {
  service = await createCliWorld()
})
afterAll(() => service.close())

beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
})
afterEach(() => cli.remove())

const run = (args: string[], env: Record<string, string>) => cli.run(['backups', ...args], env)

/** A guest book that Ada has signed, and the id of its backup. */
async function backedUpSite() {
  const site = await service.newSite('Guest book', 'node')
  await cli.write(guestBook)
  expect((await cli.run(['deploy'], site.env)).code).toBe(0)
  await site.visit('/?guest=Ada')
  const created = await run(['create', '--json'], site.env)
  expect(created.code).toBe(0)
  return { ...site, backupId: String(JSON.parse(created.output).id) }
}

describe('slipway backups', () => {
  it('says that a static site has all files in its releases', async () => {
    const { env } = await service.newSite()
    expect((await run([], env)).output).toBe('All files of this site are in its releases.\n')
    const created = await run(['create'], env)
    expect(created).toMatchObject({
      code: 1,
      errors: 'All files of this site are in its releases.\n',
    })
  })

  it('rejects a command without the id of a backup', async () => {
    const { env } = await service.newSite()
    expect((await run(['restore'], env)).code).toBe(2)
    expect((await run(['download'], env)).code).toBe(2)
  })

  it('says that a backup does not exist', async () => {
    const { env } = await service.newSite()
    for (const command of ['restore', 'download'])
      expect(await run([command, 'none'], env)).toMatchObject({
        code: 1,
        errors: 'This project has no ready backup with this id.\n',
      })
  })

  it.skipIf(!canRun)('makes a backup, and lists it', async () => {
    const { env, backupId } = await backedUpSite()
    const listed = await run([], env)
    expect(listed.output).toMatch(new RegExp(`${backupId} +Ready .+ Ada Lovelace +Manual`))
    expect(JSON.parse((await run(['--json'], env)).output)).toMatchObject([
      { id: backupId, state: 'ready', cause: 'manual' },
    ])
    const again = await run(['create'], env)
    expect(again).toMatchObject({ code: 0, errors: 'Backing up…\n' })
    expect(again.output).toMatch(/^Backup [\da-f-]{36} is ready \(\d+ bytes\)\.\n$/)
  })

  it.skipIf(!canRun)('restores a backup in place', async () => {
    const { env, backupId, visit } = await backedUpSite()
    expect(await visit('/?guest=Grace')).toBe('Grace')
    const restored = await run(['restore', backupId], env)
    expect(restored).toMatchObject({ code: 0 })
    expect(restored.output).toMatch(/^Restored the backup of .+\.\nhttp:\/\/guest-book-/)
    await until(async () => (await visit()) === 'Ada')
    const [before] = JSON.parse((await run(['--json'], env)).output)
    expect(before).toMatchObject({ cause: 'restore', state: 'ready' })
  })

  it.skipIf(!canRun)('restores a backup into a new project, and waits for its site', async () => {
    const { key, env, backupId } = await backedUpSite()
    const limited = await run(['restore', backupId, '--new', 'Copy'], env)
    expect(limited.code).toBe(1)
    expect(limited.errors).toContain('slipway login')

    const { token } = await service.owner.call(createPersonalToken, {
      body: { name: 'All', projectIds: null },
    })
    const args = ['restore', backupId, '--new', 'Copy', '--project', key]
    const restored = await run(args, { SLIPWAY_TOKEN: token })
    expect(restored).toMatchObject({ code: 0 })
    const copy = (await service.owner.call(listProjects)).find(({ name }) => name === 'Copy')
    expect(copy?.state).toBe('ready')
    expect(restored.output).toContain(`${copy?.key}\n`)
  })

  it.skipIf(!canRun)('says why a restore has failed, and exits with 1', async () => {
    const { env, backupId, visit } = await backedUpSite()
    await visit('/?guest=Grace')
    const relay = await createRelay(service.url, (request, response) => {
      if (!request.url?.includes('/backup/all/')) return false
      const time = new Date().toISOString()
      const restore = {
        backupId,
        backupCreatedAt: time,
        step: null,
        failure: 'no_room',
        requestedAt: time,
        finishedAt: time,
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ items: [], restore, hasContent: true }))
      return true
    })
    onTestFinished(relay.close)
    const restored = await run(['restore', backupId], { ...env, SLIPWAY_URL: relay.url })
    expect(restored.code).toBe(1)
    expect(restored.output).toMatch(
      /^Couldn't restore the backup of .+, so the site's files are unchanged\. There isn't enough space for its files\.\n$/,
    )
    // The relay made up the failure. The service restores the backup.
    await until(async () => (await visit()) === 'Ada')
  })

  it.skipIf(!canRun)('downloads a backup, and leaves no file of a failed download', async () => {
    const { key, env, backupId } = await backedUpSite()
    const saved = await run(['download', backupId, '--json'], env)
    expect(saved.code).toBe(0)
    const { file, bytes } = JSON.parse(saved.output)
    expect(file).toMatch(new RegExp(`^${key}-\\w+\\.tar\\.gz$`))
    const content = await readFile(join(cli.folder, file))
    expect(content).toHaveLength(bytes)
    expect([...content.subarray(0, 2)]).toEqual([0x1f, 0x8b])

    const named = await run(['download', backupId, 'copy.tar.gz'], env)
    expect(named.output).toMatch(/^Saved copy\.tar\.gz \(.+\)\.\n$/)
    const unwritable = await run(['download', backupId, 'missing/copy.tar.gz'], env)
    expect(unwritable.code).toBe(1)
    expect(unwritable.errors).toContain("A file couldn't be written: ENOENT")
    await mkdir(join(cli.folder, 'taken'))
    const taken = await run(['download', backupId, 'taken'], env)
    expect(taken.errors).toContain("A file couldn't be written: EISDIR")
    expect(existsSync(join(cli.folder, 'taken.part'))).toBe(false)

    const relay = await createRelay(service.url, (request, response) => {
      if (!request.url?.includes('/backup/download/')) return false
      response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': '1000' })
      response.write('half')
      setImmediate(() => response.destroy())
      return true
    })
    onTestFinished(relay.close)
    const broken = await run(['download', backupId, 'broken.tar.gz'], {
      ...env,
      SLIPWAY_URL: relay.url,
    })
    expect(broken.code).toBe(1)
    expect(broken.errors).toContain(relay.url)
    for (const name of ['broken.tar.gz', 'broken.tar.gz.part'])
      expect(existsSync(join(cli.folder, name)), name).toBe(false)
  })

  it('saves a file under a name of a backup, and replaces none that the service names', async () => {
    const { env } = await service.newSite()
    let name = 'package.json'
    const relay = await createRelay(service.url, (request, response) => {
      if (!request.url?.includes('/backup/download/')) return false
      response.writeHead(200, {
        'content-type': 'application/gzip',
        'content-disposition': `attachment; filename="${name}"`,
      })
      response.end('archive')
      return true
    })
    onTestFinished(relay.close)
    const download = (...file: string[]) =>
      run(['download', 'any', ...file], { ...env, SLIPWAY_URL: relay.url })
    await cli.write({ 'package.json': '{}' })
    expect((await download()).output).toMatch(/^Saved backup\.tar\.gz /)
    expect(await readFile(join(cli.folder, 'package.json'), 'utf8')).toBe('{}')

    name = 'shop-20260102T030405Z.tar.gz'
    await cli.write({ [name]: 'older' })
    const refused = await download()
    expect(refused.code).toBe(1)
    expect(refused.errors).toContain(`${name} already exists.`)
    expect(await readFile(join(cli.folder, name), 'utf8')).toBe('older')
    expect((await download(name)).code).toBe(0)
    expect(await readFile(join(cli.folder, name), 'utf8')).toBe('archive')
  })

  it.each(['sends no response', 'stops during the file'])(
    'ends a download when the service %s',
    async (state) => {
      const site = await service.newSite()
      const relay = await createRelay(service.url, (request, response) => {
        if (!request.url?.includes('/backup/download/')) return false
        if (state === 'sends no response') return true
        response.writeHead(200, {
          'content-type': 'application/gzip',
          'content-disposition': 'attachment; filename="site.tar.gz"',
        })
        response.write('half')
        return true
      })
      onTestFinished(relay.close)
      const file = join(cli.folder, 'stalled.tar.gz')
      const download = downloadBackup(
        {
          url: relay.url,
          token: site.token,
          locale: 'en',
          signal: new AbortController().signal,
          streams: { input: process.stdin, output: process.stderr },
          terminal: createTerminal(process.stdout, 'en'),
          loginFile: cli.loginFile,
          timings: { ...defaultTimings, stallTimeout: 500 },
          printStatus: () => undefined,
        },
        { backup: 'any', file, project: site.key },
      )
      await expect(download).rejects.toThrow(NoResponse)
      for (const name of [file, `${file}.part`]) expect(existsSync(name), name).toBe(false)
    },
  )

  it('says that the project is being moved', async () => {
    const { env } = await service.newSite()
    const relay = await createRelay(service.url, (request, response) => {
      if (!request.url?.includes('/backup/create/')) return false
      reject(response, 'backup_not_possible', 'moving')
      return true
    })
    onTestFinished(relay.close)
    const created = await run(['create'], { ...env, SLIPWAY_URL: relay.url })
    expect(created.errors).toContain('This project is being moved to another server.')
  })
})
