import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { changeProjectPower } from '@slipway/contract/projects'
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
import { readArguments } from './arguments.ts'
import { type Cli, createCli } from './cli.fixture.ts'
import { type CliWorld, createCliWorld } from './cli-world.fixture.ts'
import { type CommandContext, defaultTimings, type Timings } from './context.ts'
import { deploy, deployContainerImage, failureText, rollBack } from './deploy.ts'
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

  it('says that the release of a stopped site runs once the site is started', async () => {
    const { env, id } = await newSite()
    await cli.write({ 'index.html': 'first' })
    await cli.run(['deploy'], env)
    await service.owner.call(changeProjectPower, { params: { id }, body: { power: 'stopped' } })
    const { code, output } = await cli.run(['deploy'], env)
    expect(code).toBe(0)
    expect(output).toContain('Release 2 is deployed. It runs once the site is started.')
    expect((await cli.run(['releases'], env)).output).toMatch(/2 +Deployed/)
  })

  it('prints the warnings of a release that is live', async () => {
    const { env } = await newSite()
    await cli.write({ 'index.html': 'first', _headers: '/*\n  Set-Cookie: a=b\n' })
    const { code, output } = await cli.run(['deploy'], env)
    expect(code).toBe(0)
    expect(output).toMatch(
      /^Warning: _headers, line 2: Sites can't set this header\.\nRelease 1 is live/m,
    )
  })

  it('says that a release is live already instead of rolling back to it', async () => {
    const { env } = await newSite()
    await cli.write({ 'index.html': 'first' })
    await cli.run(['deploy'], env)
    const { code, errors } = await cli.run(['rollback', '1'], env)
    expect(code).toBe(1)
    expect(errors).toContain('This release is live already')
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

  it.skipIf(!canRunPrograms)('says how to deploy files of another runtime', async () => {
    const { env } = await newSite()
    await cli.write({ 'package.json': '{}' })
    const { output } = await cli.run(['deploy'], env)
    const advice = 'To deploy it as one, run slipway deploy with --runtime node.'
    expect(output).toContain(`This looks like a Node app. ${advice}`)
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

const digest = `@sha256:${'1'.repeat(64)}`

describe('failureText', () => {
  it('says how many files an archive may have', () => {
    const failed = { failure: 'too_many_files', failureDetail: null } as const
    expect(failureText(failed, 'en')).toContain('more than 50,000 files')
    expect(failureText(failed, 'tr')).toContain('50.000 dosyadan')
  })

  it('says how large the files may be, as far as the release knows it', () => {
    const failed = { failure: 'too_large_unpacked', failureDetail: '1000000000' } as const
    expect(failureText(failed, 'en')).toBe('The unpacked files are too large. The limit is 1 GB.')
    expect(failureText(failed, 'tr')).toBe('Açılan dosyalar çok büyük. Sınır 1 GB.')
    expect(failureText({ ...failed, failureDetail: null }, 'en')).toBe(
      'The unpacked files are too large.',
    )
  })
})

describe('slipway deploy --image', () => {
  it('sends the image to the service, which says where no engine runs it', async () => {
    const { env, releases } = await newSite()
    const args = ['deploy', '--image', `ghcr.io/acme/shop${digest}`, '--port', '8080', '--json']
    const { code, output } = await cli.run(args, env)
    expect(code).toBe(1)
    expect(JSON.parse(output)).toMatchObject({ error: { code: 'runtime_not_available' } })
    expect(await releases()).toEqual([])
  })

  it.each([
    ['an image by its tag', ['ghcr.io/acme/shop:1.4', '--port', '8080'], '--image'],
    ['no port', [`ghcr.io/acme/shop${digest}`], '--port'],
    ['a port that is no number', [`ghcr.io/acme/shop${digest}`, '--port', 'http'], '--port'],
    ['root', [`ghcr.io/acme/shop${digest}`, '--port', '80', '--user', '0'], '--user'],
    ['the data in /', [`ghcr.io/acme/shop${digest}`, '--port', '80', '--data', '/'], '--data'],
  ])('rejects %s before a request', async (_name, args, option) => {
    const { code, errors } = await cli.run(['deploy', '--image', ...args], {})
    expect(code).toBe(2)
    expect(errors).toContain(`${option} is missing or invalid`)
  })

  it('rejects a folder beside an image', async () => {
    const args = ['deploy', 'dist', '--image', `ghcr.io/acme/shop${digest}`, '--port', '80']
    expect((await cli.run(args, {})).errors).toContain('name no folder')
  })
})

describe('slipway deploy, while the service or the network fails', () => {
  const shortTimings: Timings = {
    ...defaultTimings,
    retryDelays: Array(20).fill(1),
    pollInterval: 1,
  }

  const isCheck = (request: IncomingMessage) => stepOf(request) === 'check'

  /** The calls of a deployment, in their order, by their paths. */
  const steps = {
    projects: '/project/all',
    limit: '/release/all/',
    upload: '/release/create/',
    image: '/release/image/',
    rollback: '/release/rollback/',
    check: '/release/view/',
  }
  type Step = keyof typeof steps

  const stepOf = ({ url = '' }: IncomingMessage) =>
    (Object.keys(steps) as Step[]).find((step) => url.includes(steps[step]))

  /** A site, its folder with a page, and a relay that handles some requests itself. */
  async function prepare(
    intercept: (request: IncomingMessage, response: ServerResponse) => boolean,
  ) {
    const site = await newSite()
    await cli.write({ 'index.html': randomBytes(200_000).toString('base64') })
    const relay = await createRelay(url, intercept)
    onTestFinished(relay.close)
    const contextOf = (timings: Timings = shortTimings): CommandContext => ({
      url: relay.url,
      token: site.token,
      locale: 'en',
      signal: new AbortController().signal,
      streams: { input: process.stdin, output: process.stderr },
      terminal: createTerminal(process.stdout, 'en'),
      loginFile: cli.loginFile,
      timings,
      printStatus: () => undefined,
    })
    const run = (timings?: Timings) =>
      deploy(contextOf(timings), { folder: cli.folder, project: site.key })
    return { site, relay, run, contextOf }
  }

  /** Makes two releases. A rollback between releases of the same files would be rejected. */
  async function deployTwice(env: Record<string, string>) {
    await cli.run(['deploy'], env)
    await cli.write({ 'index.html': 'second' })
    await cli.run(['deploy'], env)
  }

  /** Rejects the first calls of each step, and counts the calls and their idempotency keys. */
  function rejectFirst(count: number, respond: (response: ServerResponse) => void) {
    const calls = { projects: 0, limit: 0, upload: 0, image: 0, rollback: 0, check: 0 }
    const keys = new Set<unknown>()
    const intercept = (request: IncomingMessage, response: ServerResponse) => {
      const step = stepOf(request)
      if (!step) return false
      if (request.method === 'POST') keys.add(request.headers['idempotency-key'])
      calls[step] += 1
      if (calls[step] > count) return false
      request.resume()
      respond(response)
      return true
    }
    return { calls, keys, intercept }
  }

  it('says that a newer release has replaced the deployed one', async () => {
    let isReplaced = false
    const { site, run } = await prepare((request, response) => {
      if (!isCheck(request) || isReplaced) return false
      reject(response, 'unavailable')
      return true
    })
    const result = run({ ...shortTimings, retryDelays: Array(5000).fill(10) })
    await until(async () => (await site.releases())[0]?.state === 'live')
    await cli.write({ 'index.html': 'newer' })
    await cli.run(['deploy'], site.env)
    isReplaced = true
    expect(await result).toMatchObject({
      json: { release: { number: 1, state: 'superseded' } },
      lines: [
        'Release 1 was deployed. A newer release has replaced it.',
        expect.stringContaining(site.key),
      ],
    })
  })

  it('retries for about half a minute', () => {
    expect(defaultTimings.retryDelays.reduce((sum, delay) => sum + delay, 0)).toBe(31_000)
  })

  // More than the two retries of other commands.
  const failures = 3

  const failingStates: [string, (response: ServerResponse) => void][] = [
    ['is unavailable', (response) => reject(response, 'unavailable')],
    ['rate-limits', (response) => reject(response, 'too_many_requests')],
    ['is down behind a proxy', (response) => void response.writeHead(503).end('<h1>Bad</h1>')],
  ]

  it.each(failingStates)('retries every call while the service %s', async (_state, respond) => {
    const { calls, keys, intercept } = rejectFirst(failures, respond)
    const { site, run } = await prepare(intercept)
    expect(await run()).toMatchObject({ json: { release: { number: 1, state: 'live' } } })
    const { projects, limit, upload, check } = calls
    expect(Math.min(projects, limit, upload, check)).toBeGreaterThan(failures)
    expect(keys.size).toBe(1)
    expect(await site.releases()).toHaveLength(1)
  })

  it.each(failingStates)(
    'retries every call of a rollback while the service %s',
    async (_state, respond) => {
      const { calls, keys, intercept } = rejectFirst(failures, respond)
      const { site, contextOf } = await prepare(intercept)
      await deployTwice(site.env)
      const result = await rollBack(contextOf(), { number: '1', project: site.key })
      expect(result).toMatchObject({ json: { release: { number: 3, state: 'live' } } })
      const { projects, rollback, check } = calls
      expect(Math.min(projects, rollback, check)).toBeGreaterThan(failures)
      expect(keys.size).toBe(1)
      expect(await site.releases()).toHaveLength(3)
    },
  )

  it.each(failingStates)(
    'retries every call of a deployed image while the service %s',
    async (_state, respond) => {
      const { calls, keys, intercept } = rejectFirst(failures, respond)
      const { site, contextOf } = await prepare(intercept)
      const image = `ghcr.io/acme/shop${digest}`
      const args = ['deploy', '--project', site.key, '--image', image, '--port', '8080']
      // No engine here runs images: this is the response of the service itself.
      await expect(deployContainerImage(contextOf(), readArguments(args, 'en'))).rejects.toThrow(
        'runtime_not_available',
      )
      expect(Math.min(calls.projects, calls.image)).toBeGreaterThan(failures)
      expect(keys.size).toBe(1)
    },
  )

  it('makes one release when the response to a rollback is lost', async () => {
    let rollbacks = 0
    const { site, contextOf } = await prepare((request, response) => {
      // The relay forwards the rollback, but drops its response.
      if (stepOf(request) === 'rollback' && ++rollbacks === 1)
        response.writeHead = () => response.destroy()
      return false
    })
    await deployTwice(site.env)
    await rollBack(contextOf(), { number: '1', project: site.key })
    expect(rollbacks).toBe(2)
    expect(await site.releases()).toHaveLength(3)
  })

  it('gives up when the service stays unavailable', async () => {
    const { site, run } = await prepare((request, response) => {
      if (!isUpload(request)) return false
      request.resume()
      reject(response, 'unavailable')
      return true
    })
    await expect(run({ ...shortTimings, retryDelays: [1, 1] })).rejects.toThrow('unavailable')
    expect(await site.releases()).toEqual([])
  })

  it('retries a stalled upload', async () => {
    let uploads = 0
    const { site, run } = await prepare((request) => isUpload(request) && ++uploads === 1)
    expect(await run({ ...shortTimings, stallTimeout: 500 })).toMatchObject({
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

  it('is canceled by Ctrl-C during the upload, without a release', async () => {
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
    expect(result.errors).toContain('Canceled.')
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
