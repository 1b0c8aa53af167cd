import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
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
import { type Cli, createCli } from './cli.fixture.ts'
import { type CliWorld, createCliWorld } from './cli-world.fixture.ts'
import { defaultWaits, type Waits } from './context.ts'
import { deploy } from './deploy.ts'
import { createBreakingRelay, createRelay, isUpload, reject } from './relay.fixture.ts'

const canRunPrograms = await hasSandbox()

let service: CliWorld
let newSite: CliWorld['newSite']
let world: CliWorld['world']
let url: string
let cli: Cli

beforeAll(async () => {
  service = await createCliWorld()
  ;({ world, newSite, url } = service)
})
afterAll(() => service.close())

beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: url })
})
afterEach(() => cli.remove())

describe('slipway deploy', () => {
  it('packs the folder, waits until it is live and prints the address', async () => {
    const { env, key, visit, releases } = await newSite()
    await cli.write({
      'index.html': 'from the terminal',
      'assets/app.css': 'body {}',
      '.env': 'SECRET=1',
      'node_modules/x/index.js': '',
    })
    const { code, output, errors } = await cli.run(['deploy'], env)
    expect({ code, errors }).toMatchObject({ code: 0 })
    expect(output).toContain('Release 1 is live')
    expect(output).toContain(`http://${key}.localhost:${world.env.SITES_PORT}`)
    expect(errors).toContain('Uploading 2 files')
    expect(await visit()).toBe('from the terminal')
    expect((await releases())[0]).toMatchObject({ files: 2, createdBy: { name: 'Ada Lovelace' } })
  })

  it('deploys another folder to the project that this one is linked to', async () => {
    const { env, key, visit } = await newSite()
    await cli.write({ 'dist/index.html': 'built' })
    expect((await cli.run(['link'], env)).code).toBe(0)
    const { code, output } = await cli.run(['deploy', 'dist', '--json'], env)
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      release: { number: 1, state: 'live' },
      url: expect.stringContaining(key),
    })
    expect(await visit()).toBe('built')
  })

  it('prints why a release failed, exits with 1 and leaves the site as it is', async () => {
    const { env, visit } = await newSite()
    await cli.write({ 'index.html': 'good' })
    await cli.run(['deploy'], env)
    await cli.write({ 'index.html': '', 'sub/index.html': 'no index above' })
    await rm(join(cli.folder, 'index.html'))
    await cli.write({ 'a.txt': '' })
    const { code, output } = await cli.run(['deploy'], env)
    expect(code).toBe(1)
    expect(output).toContain("Release 2 failed. There's no index.html at the top level.")
    expect(await visit()).toBe('good')
  })

  it.skipIf(!canRunPrograms)('prints the last lines of a program that failed', async () => {
    const { env } = await newSite('Old Mill', 'node')
    await cli.write({
      'package.json': '{"main":"main.js"}',
      'main.js': "console.log('grinding\\nno flour'); process.exit(7)",
    })
    const { code, output } = await cli.run(['deploy'], env)
    expect(code).toBe(1)
    expect(output).toContain('  grinding\n  no flour\n')
  })

  it('makes one release when the connection breaks after the upload', async () => {
    const { env, releases } = await newSite()
    await cli.write({ 'index.html': 'once' })
    const relay = await createBreakingRelay(url)
    const { code, errors } = await cli.run(['deploy'], { ...env, SLIPWAY_URL: relay.url })
    relay.close()
    expect({ code, errors }).toMatchObject({ code: 0 })
    expect(relay.uploads()).toBe(2)
    expect(await releases()).toHaveLength(1)
  })

  it.each([
    [
      'an archive over its limit',
      randomBytes(1_500_000).toString('base64'),
      /The archive is 1\.5\d? MB; the limit is 1 MB/,
    ],
    ['files over their limit', 'x'.repeat(5_000_001), /The files are 5 MB; the limit is 5 MB/],
  ])('rejects %s before the upload', async (_name, content, error) => {
    const { env, releases } = await newSite()
    await cli.write({ 'index.html': content })
    const relay = await createBreakingRelay(url)
    const { errors } = await cli.run(['deploy'], { ...env, SLIPWAY_URL: relay.url })
    relay.close()
    expect(errors).toMatch(error)
    expect(relay.uploads()).toBe(0)
    expect(await releases()).toEqual([])
  })

  it.each([
    ['a missing folder', 'nowhere', "nowhere doesn't exist"],
    ['a folder without files to deploy', 'empty', 'no files to deploy'],
  ])('rejects %s', async (_name, folder, error) => {
    const { env, releases } = await newSite()
    await cli.write({ 'empty/.env': '' })
    expect((await cli.run(['deploy', folder], env)).errors).toContain(error)
    expect(await releases()).toEqual([])
  })
})

describe('slipway deploy, while the service or the network fails', () => {
  const shortWaits: Waits = { ...defaultWaits, retries: Array(20).fill(1), poll: 1 }

  const isCheck = ({ url = '' }: IncomingMessage) => url.includes('/release/view/')

  function stepOf(request: IncomingMessage) {
    if (isUpload(request)) return 'upload'
    return isCheck(request) ? 'check' : null
  }

  /** A site, its folder with a page, and a relay that handles some requests itself. */
  async function prepare(
    intercept: (request: IncomingMessage, response: ServerResponse) => boolean,
  ) {
    const site = await newSite()
    await cli.write({ 'index.html': randomBytes(200_000).toString('base64') })
    const relay = await createRelay(url, intercept)
    onTestFinished(relay.close)
    const run = (waits: Waits = shortWaits) =>
      deploy(
        {
          url: relay.url,
          token: site.token,
          locale: 'en',
          signal: new AbortController().signal,
          streams: { input: process.stdin, output: process.stderr },
          terminal: createTerminal(process.stdout, 'en'),
          loginFile: cli.loginFile,
          waits,
          say: () => undefined,
        },
        { folder: cli.folder, project: site.key },
      )
    return { site, relay, run }
  }

  it('waits about half a minute for the service', () => {
    expect(defaultWaits.retries.reduce((sum, wait) => sum + wait, 0)).toBe(31_000)
  })

  it.each([
    ['is unavailable', (response: ServerResponse) => reject(response, 'unavailable')],
    ['rate-limits', (response: ServerResponse) => reject(response, 'too_many_requests')],
    [
      'is down behind a proxy',
      (response: ServerResponse) => void response.writeHead(503).end('<h1>Bad</h1>'),
    ],
  ])('retries while the service %s, during the upload and the checks', async (_state, respond) => {
    const requestCounts = { upload: 0, check: 0 }
    const { site, run } = await prepare((request, response) => {
      const step = stepOf(request)
      if (step === null) return false
      requestCounts[step] += 1
      if (requestCounts[step] > 2) return false
      request.resume()
      respond(response)
      return true
    })
    expect(await run()).toMatchObject({ json: { release: { number: 1, state: 'live' } } })
    expect(Math.min(requestCounts.upload, requestCounts.check)).toBeGreaterThan(2)
    expect(await site.releases()).toHaveLength(1)
  })

  it('gives up when the service stays unavailable', async () => {
    const { site, run } = await prepare((request, response) => {
      if (!isUpload(request)) return false
      request.resume()
      reject(response, 'unavailable')
      return true
    })
    await expect(run({ ...shortWaits, retries: [1, 1] })).rejects.toThrow('unavailable')
    expect(await site.releases()).toEqual([])
  })

  it('retries a stalled upload', async () => {
    let uploads = 0
    const { site, run } = await prepare((request) => isUpload(request) && ++uploads === 1)
    expect(await run({ ...shortWaits, stall: 500 })).toMatchObject({
      json: { release: { state: 'live' } },
    })
    expect(uploads).toBeGreaterThan(1)
    expect(await site.releases()).toHaveLength(1)
  })

  it('retries an upload whose connection breaks', async () => {
    let uploads = 0
    const { site, run } = await prepare((request) => {
      if (!isUpload(request) || ++uploads > 1) return false
      request.once('data', () => request.destroy())
      return true
    })
    expect(await run()).toMatchObject({ json: { release: { state: 'live' } } })
    expect(uploads).toBe(2)
    expect(await site.releases()).toHaveLength(1)
  })

  it('fails without a retry when a file cannot be read', async () => {
    let uploads = 0
    const { run } = await prepare((request) => {
      // The size of the archives is requested after the files have been listed.
      if (request.url?.includes('/release/all/')) rmSync(join(cli.folder, 'index.html'))
      if (isUpload(request)) uploads++
      return false
    })
    await expect(run()).rejects.toThrow('index.html')
    expect(uploads).toBeLessThanOrEqual(1)
  })

  it('is cancelled by Ctrl-C during the upload, without a release', async () => {
    let started = () => {}
    const uploading = new Promise<void>((resolve) => {
      started = resolve
    })
    const { site, relay } = await prepare((request) => {
      if (isUpload(request)) request.once('data', started)
      return isUpload(request)
    })
    const { child, result, ended } = cli.start(['deploy'], { ...site.env, SLIPWAY_URL: relay.url })
    await uploading
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
    expect(result.errors).toContain('Cancelled.')
    expect(await site.releases()).toEqual([])
  })

  it('says that the release continues when Ctrl-C ends the checks', async () => {
    let confirmPolled = () => {}
    const checking = new Promise<void>((resolve) => {
      confirmPolled = resolve
    })
    const { site, relay } = await prepare((request) => {
      if (isCheck(request)) confirmPolled()
      return isCheck(request)
    })
    const { child, result, ended } = cli.start(['deploy'], { ...site.env, SLIPWAY_URL: relay.url })
    await checking
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
    expect(result.errors).toContain('Release 1')
    await until(async () => (await site.releases())[0]?.state === 'live')
  })
})
