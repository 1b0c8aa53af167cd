import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { listProjectActivity } from '@slipway/contract/activity'
import { createPersonalToken, deletePersonalToken } from '@slipway/contract/personal-tokens'
import {
  changeProjectPower,
  createProject,
  deleteProject,
  type ProjectId,
  viewProject,
} from '@slipway/contract/projects'
import {
  createRelease,
  listReleases,
  type Release,
  rollBackRelease,
  viewRelease,
} from '@slipway/contract/releases'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DiskFullError } from '../../artifacts/archive-error.ts'
import { artifactLock } from '../../artifacts/artifact-lock.ts'
import { type ArchiveFiles, tarOf, zipOf } from '../../testing/archives.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { httpGet } from '../../testing/http-get.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { hasSandbox } from '../../testing/sandbox.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import { abandonedAfter, deploy, removeUnused, sweep } from './releases.deploy.ts'
import { releases } from './releases.schema.ts'
import { deployJob, deployLock } from './releases.service.ts'

const canRunPrograms = await hasSandbox()

let world: World
let owner: TestUser

beforeAll(async () => {
  world = await createWorld({ PROJECT_LIMIT: 100, RELEASE_MAX_MB: 1 })
  owner = await world.user()
  await world.host()
  await world.startWorkers()
})
afterAll(() => world.close())

const blobOf = (archive: Buffer, type = 'application/zip') =>
  new Blob([new Uint8Array(archive)], { type })
const zip = (files: ArchiveFiles) => blobOf(zipOf(files))

let listeningPort: number | undefined
const serverPort = async () => {
  listeningPort ??= await world.listen()
  return listeningPort
}

/** Sends a request whose body has no end, until the server closes the connection. */
async function attack(port: number, head: string[]) {
  const socket = connect(port, '127.0.0.1')
  let response = ''
  let sent = 0
  socket.setEncoding('latin1').on('data', (text: string) => {
    response += text
  })
  // The server resets the connection while the body is written.
  socket.on('error', () => undefined)
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const chunk = Buffer.alloc(64 * 1024)
  const write = () => {
    if (socket.destroyed) return
    sent += chunk.length
    if (socket.write(chunk)) setImmediate(write)
    else socket.once('drain', write)
  }
  socket.once('connect', write)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { response, sent }
}

/** Archives that wait for their deployment, without the folders of other deployments. */
const storedArchives = async () =>
  (await readdir(join(world.env.DATA_DIR, 'artifacts'))).filter((name) => name.endsWith('.archive'))

/** Files of uploads that have not ended. */
const unfinishedUploads = async () => {
  const incoming = join(world.env.DATA_DIR, 'artifacts/incoming')
  return (await readdir(incoming).catch(() => [])).filter((name) => name.endsWith('.upload'))
}

async function newSite(user: TestUser = owner) {
  const { id, key } = await user.call(createProject, {
    body: {
      name: 'Example site',
      teamId: user.teamId,
      regionId: 'eu',
      domain: null,
      runtime: 'static',
    },
  })
  const upload = (files: ArchiveFiles | Blob, idempotencyKey?: string) =>
    user.call(createRelease, {
      params: { id },
      query: {},
      body: files instanceof Blob ? files : zip(files),
      ...(idempotencyKey ? { idempotencyKey } : {}),
    })
  const view = (number: number) =>
    user.call(viewRelease, { params: { id, number: String(number) } })
  const waitForEnd = (number: number) =>
    until(async () => {
      const release = await view(number)
      return release.state === 'checking' ? undefined : release
    })
  const deployAndWait = async (files: ArchiveFiles | Blob) =>
    waitForEnd((await upload(files)).number)
  const rollBack = (number: number) =>
    user.call(rollBackRelease, { params: { id }, body: { number } })
  const visit = (path = '/') =>
    httpGet({ port: world.env.SITES_PORT }, path, { host: `${key}.localhost` })
  return { id, key, upload, view, waitForEnd, deployAndWait, rollBack, visit }
}

describe(title(createRelease), () => {
  it('makes an uploaded zip or tar.gz live', async () => {
    const { id, key, upload, waitForEnd, deployAndWait, visit } = await newSite()
    await until(async () => (await visit()).body.includes('Nothing is published here yet'))

    const first = await upload({ 'index.html': 'one', 'a.css': 'a' })
    expect(first).toMatchObject({
      number: 1,
      runtime: 'static',
      state: 'checking',
      source: 'upload',
      createdBy: { id: owner.id, name: owner.name },
      files: null,
    })
    const live = await waitForEnd(1)
    expect(live).toMatchObject({
      state: 'live',
      files: 2,
      bytes: 4,
      changes: { added: 2, changed: 0, removed: 0 },
    })
    expect(live.log.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Received \d+ bytes$/),
      'Unpacked 2 files, 4 bytes',
      'Live',
    ])
    await until(async () => (await visit()).body === 'one')

    const tar = blobOf(await tarOf({ 'index.html': 'two', 'b.css': 'b' }), 'application/gzip')
    expect(await deployAndWait(tar)).toMatchObject({
      state: 'live',
      changes: { added: 1, changed: 1, removed: 1 },
    })
    await until(async () => (await visit()).body === 'two')
    expect((await visit('/a.css')).status).toBe(404)
    const { items } = await owner.call(listReleases, { params: { id }, query: {} })
    expect(items.map(({ number, state }) => [number, state])).toEqual([
      [2, 'live'],
      [1, 'superseded'],
    ])
    const project = await owner.call(viewProject, { params: { key } })
    expect([project.runtime, project.state]).toEqual(['static', 'ready'])
  })

  it.each([
    ['an archive that is not accepted', { '../x': 'x' }, 'path_outside', '../x'],
    [
      'files that are too large',
      { 'index.html': Buffer.alloc(5_000_001) },
      'too_large_unpacked',
      '5000000',
    ],
    ['a site without index.html', { 'page.html': 'x' }, 'index_missing', null],
  ] as const)('fails %s and keeps the live release', async (_, files, failure, failureDetail) => {
    const { deployAndWait, visit } = await newSite(await world.user())
    await deployAndWait({ 'index.html': 'good' })
    expect(await deployAndWait(files)).toMatchObject({ state: 'failed', failure, failureDetail })
    // Its archive is deleted right after the release has failed.
    await until(async () => (await storedArchives()).length === 0)
    await until(async () => (await visit()).body === 'good')
    expect((await deployAndWait({ 'index.html': 'better' })).number).toBe(3)
    await until(async () => (await visit()).body === 'better')
  })

  it.skipIf(!canRunPrograms)('says which other runtime the files look like', async () => {
    const user = await world.user()
    const { id, deployAndWait, waitForEnd } = await newSite(user)
    const app = { 'package.json': '{}', 'page.html': 'x' }
    expect(await deployAndWait(app)).toMatchObject({
      failure: 'index_missing',
      failureDetail: 'node',
    })
    const query = { runtime: 'node' as const }
    const body = zip({ 'index.html': 'x' })
    const { number } = await user.call(createRelease, { params: { id }, query, body })
    expect(await waitForEnd(number)).toMatchObject({
      failure: 'package_json_missing',
      failureDetail: 'static',
    })
  })

  it.skipIf(!canRunPrograms)('fails with the output of a program, whatever it prints', async () => {
    const user = await world.user()
    const { id, waitForEnd } = await newSite(user)
    // The log's last 4,000 characters begin within an emoji.
    const code = "console.log('😀'.repeat(3000) + '\\0\\u001b[31mx'); process.exit(1)"
    const body = zip({ 'package.json': '{"main":"app.js"}', 'app.js': code })
    const query = { runtime: 'node' as const }
    const { number } = await user.call(createRelease, { params: { id }, query, body })
    const release = await waitForEnd(number)
    expect(release).toMatchObject({ failure: 'program_exited', failureDetail: '1' })
    expect(release.log).toContainEqual(
      expect.objectContaining({ text: expect.stringMatching(/^�😀+�x$/u) }),
    )
  })

  it('fails a file name with a control character, and names the file without it', async () => {
    const { deployAndWait } = await newSite(await world.user())
    expect(await deployAndWait({ 'a\0b.html': 'x' })).toMatchObject({
      failure: 'name_invalid',
      failureDetail: 'a�b.html',
    })
  })

  it('names no runtime that this machine cannot run', async () => {
    const { deployAndWait } = await newSite(await world.user())
    const onlyStatic = [{ id: 'static', version: null, reason: null }] as const
    vi.spyOn(world.ctx.engine, 'capabilities').mockResolvedValue(onlyStatic)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await deployAndWait({ 'package.json': '{}' })).toMatchObject({ failureDetail: null })
  })

  it('logs a warning for each of the first 20 redirects without effect, and counts the rest', async () => {
    const user = await world.user()
    const { id, deployAndWait } = await newSite(user)
    const _redirects = `/a /a\n${'/only\n'.repeat(24)}`
    const release = await deployAndWait({ 'index.html': 'x', _redirects })
    expect(release).toMatchObject({ state: 'live', warnings: 25 })
    const warnings = release.log.filter(({ isWarning }) => isWarning).map(({ text }) => text)
    expect(warnings).toHaveLength(21)
    expect(warnings.slice(0, 2)).toEqual([
      'Warning: _redirects, line 1: This redirect never ends, because it leads back to itself.',
      "Warning: _redirects, line 2: There's no target, such as /new or https://example.com.",
    ])
    expect(warnings.at(-1)).toBe('Warning: 5 more lines like these.')
    const { items } = await user.call(listReleases, { params: { id }, query: {} })
    expect(items[0]).toMatchObject({ warnings: 25 })
  })

  it('says in the log that the release of a stopped site is only deployed', async () => {
    const user = await world.user()
    const { id, deployAndWait } = await newSite(user)
    await deployAndWait({ 'index.html': 'one' })
    await user.call(changeProjectPower, { params: { id }, body: { power: 'stopped' } })
    const { state, log } = await deployAndWait({ 'index.html': 'two' })
    expect(state).toBe('live')
    expect(log.at(-1)?.text).toBe('Deployed. It runs once the site is started.')
  })

  it('waits while another project unpacks the same files, and logs no error', async () => {
    const archive = zipOf({ 'index.html': 'of two projects' })
    const digest = createHash('sha256').update(archive).digest('hex')
    const { upload, waitForEnd } = await newSite()
    const logged = world.logged.length
    const tries = vi.spyOn(world.ctx.locks, 'exclusively')
    onTestFinished(() => tries.mockRestore())
    const unpacked = Promise.withResolvers<true>()
    const otherUnpacking = world.ctx.locks.exclusively(artifactLock(digest), () => unpacked.promise)
    const { number } = await upload(blobOf(archive))
    await until(() => tries.mock.calls.filter(([name]) => name === artifactLock(digest)).length > 1)
    unpacked.resolve(true)
    await otherUnpacking
    expect((await waitForEnd(number)).state).toBe('live')
    expect(world.logged.slice(logged).join('')).not.toContain('"level":"error"')
  })

  it('deploys the same files to several projects at once', async () => {
    const sites = await Promise.all([newSite(), newSite(), newSite()])
    const body = zip({ 'index.html': 'of several projects' })
    const deployed = await Promise.all(sites.map((site) => site.deployAndWait(body)))
    expect(deployed.map(({ state }) => state)).toEqual(['live', 'live', 'live'])
  })

  it('makes one release of a repeated request, also when both run at once', async () => {
    const { id, upload } = await newSite()
    const files = { 'index.html': 'x' }
    const [first, second] = await Promise.all([upload(files, 'same'), upload(files, 'same')])
    expect(second.id).toBe(first.id)
    expect((await upload(files, 'same')).id).toBe(first.id)
    const { items } = await owner.call(listReleases, { params: { id }, query: {} })
    expect(items).toHaveLength(1)
  })

  it('rejects a body that is too large, empty or of another media type', async () => {
    const { id, upload } = await newSite()
    const large = new Blob([Buffer.alloc(1_000_001)], { type: 'application/zip' })
    await expect(upload(large)).rejects.toMatchObject({
      code: 'request_too_large',
      context: '1000000',
    })
    expect(await errorCodeOf(upload(new Blob([], { type: 'application/zip' })))).toBe(
      'malformed_request',
    )
    const text = new Blob(['x'], { type: 'text/plain' })
    expect(await errorCodeOf(upload(text))).toBe('unsupported_media_type')
    const { items } = await owner.call(listReleases, { params: { id }, query: {} })
    expect(items).toEqual([])
    expect(await unfinishedUploads()).toEqual([])
  })

  it.each([
    ['without a token', undefined, 401],
    ['of another user', 'stranger', 404],
  ] as const)('rejects an upload %s before it reads the files', async (_name, role, status) => {
    const { id } = await newSite()
    const token = role && (await world.user()).token
    const port = await serverPort()
    // Longer than any client sends: only the server ends it.
    const size = 100_000_000_000_000
    const { response, sent } = await attack(port, [
      `POST /api/management/project/release/create/${id} HTTP/1.1`,
      `Host: localhost:${port}`,
      'Content-Type: application/zip',
      `Content-Length: ${size}`,
      ...(token ? [`Authorization: Bearer ${token}`] : []),
    ])
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(sent).toBeLessThan(size)
    expect(await unfinishedUploads()).toEqual([])
    const { items } = await owner.call(listReleases, { params: { id }, query: {} })
    expect(items).toEqual([])
  })

  it('leaves nothing of an upload that its client cancels, and logs no failure', async () => {
    const { id } = await newSite()
    const logged = world.logged.length
    const socket = connect(await serverPort(), '127.0.0.1')
    socket.write(
      [
        `POST /api/management/project/release/create/${id} HTTP/1.1`,
        'Host: localhost',
        'Content-Type: application/zip',
        'Content-Length: 1000',
        `Authorization: Bearer ${owner.token}`,
        '\r\nPK',
      ].join('\r\n'),
    )
    await until(async () => (await unfinishedUploads()).length > 0)
    socket.destroy()
    await until(async () => (await unfinishedUploads()).length === 0)
    // A later request is logged after everything that the broken one logs.
    await owner.call(listReleases, { params: { id }, query: {} })
    const failures = world.logged
      .slice(logged)
      .filter((line) => line.includes('the request failed'))
    expect(failures).toEqual([])
  })

  it('stores no upload whose access token was revoked before its end', async () => {
    const { id } = await newSite()
    const { token, personalToken } = await owner.call(createPersonalToken, {
      body: { name: 'Build server', projectIds: null },
    })
    const archive = zipOf({ 'index.html': 'x' })
    const socket = connect(await serverPort(), '127.0.0.1')
    socket.write(
      [
        `POST /api/management/project/release/create/${id} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        'Content-Type: application/zip',
        `Content-Length: ${archive.length}`,
        `Authorization: Bearer ${token}`,
        '\r\n',
      ].join('\r\n'),
    )
    socket.write(archive.subarray(0, 1))
    await until(async () => (await unfinishedUploads()).length > 0)
    await owner.call(deletePersonalToken, { params: { id: personalToken.id } })
    socket.write(archive.subarray(1))
    expect(await text(socket)).toMatch(/^HTTP\/1.1 401 /)
    expect((await owner.call(listReleases, { params: { id }, query: {} })).items).toEqual([])
  })

  it('rejects an upload while the disk is nearly full, and logs it', async () => {
    const { upload, deployAndWait } = await newSite()
    const receive = vi.spyOn(world.ctx.artifacts, 'receive')
    receive.mockRejectedValueOnce(new DiskFullError())
    onTestFinished(() => receive.mockRestore())
    expect(await errorCodeOf(upload({ 'index.html': 'x' }))).toBe('unavailable')
    expect(world.logged.some((line) => line.includes('an upload was rejected'))).toBe(true)
    expect((await deployAndWait({ 'index.html': 'x' })).number).toBe(1)
  })

  it('fails once while the disk has too little room for its files, and deletes the archive', async () => {
    const { deployAndWait } = await newSite()
    const earlierArchives = await storedArchives()
    const unpack = vi.spyOn(world.ctx.artifacts, 'unpack').mockRejectedValue(new DiskFullError())
    onTestFinished(() => unpack.mockRestore())
    const release = await deployAndWait({ 'index.html': 'has no room' })
    expect(release).toMatchObject({ state: 'failed', failure: 'no_room', failureDetail: null })
    const isEarlier = (name: string) => earlierArchives.includes(name)
    await until(async () => (await storedArchives()).every(isEarlier))
    expect(unpack).toHaveBeenCalledTimes(1)
  })

  it('records the release of a token in the activity as an action of the token', async () => {
    const user = await world.user()
    const { id, deployAndWait } = await newSite(user)
    const { token } = await user.call(createPersonalToken, {
      body: { name: 'Build server', projectIds: [id] },
    })
    await deployAndWait({ 'index.html': 'one' })
    const { number } = await world.client(token)(createRelease, {
      params: { id },
      query: {},
      body: zip({ 'index.html': 'two' }),
    })
    const { items } = await until(async () => {
      const page = await user.call(listProjectActivity, { params: { id }, query: {} })
      return page.items.some(({ subject }) => subject === String(number)) && page
    })
    const actors = items.flatMap(({ kind, actor }) => (kind === 'release_live' ? actor : []))
    expect(actors).toMatchObject([
      { kind: 'token', id: user.id },
      { kind: 'user', id: user.id },
    ])
  })

  it('rejects a runtime that this machine cannot run', async () => {
    const { id } = await newSite()
    const body = zip({ 'index.html': 'x' })
    const call = owner.call(createRelease, { params: { id }, query: { runtime: 'image' }, body })
    expect(await errorCodeOf(call)).toBe('runtime_not_available')
  })

  it('replaces the starter site of a project by files', async () => {
    const { id } = await world.project({ teamId: owner.teamId, name: 'Was starter' })
    const release = await owner.call(createRelease, {
      params: { id },
      query: {},
      body: zip({ 'index.html': 'x' }),
    })
    expect(release.runtime).toBe('static')
  })

  it('rejects a fourth release while three are checked', async () => {
    const { id, upload } = await newSite()
    await upload({ 'index.html': 'x' })
    const [row] = await world.ctx.db.select().from(releases).where(eq(releases.projectId, id))
    if (!row) throw new Error('no release')
    // Stored without a job, so that they stay.
    for (const number of [2, 3, 4])
      await world.ctx.db.insert(releases).values({
        ...row,
        id: crypto.randomUUID() as Release['id'],
        number,
        state: 'checking',
        idempotencyKey: null,
      })
    expect(await errorCodeOf(upload({ 'index.html': 'y' }))).toBe('too_many_requests')
  })
})

describe('a deployment', () => {
  /** Deployed releases, reset to `checking` so that the test deploys them again. */
  async function prepareReleases(files: ArchiveFiles[]) {
    const site = await newSite()
    const ids: Release['id'][] = []
    for (const each of files) {
      const { number } = await site.upload(each)
      const { id } = await site.waitForEnd(number)
      ids.push(id)
    }
    // The job may still have its lock.
    await until(() => world.ctx.locks.exclusively(deployLock(site.id), async () => true))
    await world.ctx.db
      .update(releases)
      .set({ state: 'checking' })
      .where(eq(releases.projectId, site.id))
    return { ...site, ids }
  }

  it('changes nothing if its release is live already', async () => {
    const { ids, view } = await prepareReleases([{ 'index.html': 'x' }])
    await deploy(world.ctx, ids[0] as Release['id'])
    await deploy(world.ctx, ids[0] as Release['id'])
    expect((await view(1)).state).toBe('live')
  })

  it('starts nothing if another worker ends its release before it has the lock', async () => {
    const { ids } = await prepareReleases([{ 'index.html': 'x' }])
    const id = ids[0] as Release['id']
    const stage = vi.spyOn(world.ctx.engine, 'stage')
    onTestFinished(() => stage.mockRestore())
    const { exclusively } = world.ctx.locks
    const afterOther: typeof exclusively = async (name, task) => {
      await world.ctx.db.update(releases).set({ state: 'failed' }).where(eq(releases.id, id))
      return exclusively(name, task)
    }
    const ctx = { ...world.ctx, locks: { ...world.ctx.locks, exclusively: afterOther } }
    expect(await deploy(ctx, id)).toBe('done')
    expect(stage).not.toHaveBeenCalled()
  })

  it('does not replace a newer release', async () => {
    const { ids, view } = await prepareReleases([{ 'index.html': 'old' }, { 'index.html': 'new' }])
    await deploy(world.ctx, ids[1] as Release['id'])
    await deploy(world.ctx, ids[0] as Release['id'])
    expect([(await view(2)).state, (await view(1)).state]).toEqual(['live', 'failed'])
    expect(await view(1)).toMatchObject({ failure: 'overtaken', failureDetail: '2' })
  })

  it('gets another job from the sweep when a killed worker has left it', async () => {
    const { id, ids } = await prepareReleases([{ 'index.html': 'x' }])
    const countJobs = async () => {
      const { rows } = await world.ctx.db.execute(
        sql`select from pgboss.job where name = ${deployJob} and data->>'releaseId' = ${ids[0]}`,
      )
      return rows.length
    }
    await sweep(world.ctx)
    expect(await countJobs(), 'the first job still waits').toBe(1)
    await world.ctx.locks.exclusively(deployLock(id), async () => {
      world.clock.forward(abandonedAfter)
      await sweep(world.ctx)
      expect(await countJobs(), 'a worker deploys it').toBe(1)
    })
    await sweep(world.ctx)
    // The job sends a third one if it starts before the sweep releases the lock.
    expect(await countJobs()).toBeGreaterThan(1)
  })

  it('fails after its deadline', async () => {
    const { ids, view } = await prepareReleases([{ 'index.html': 'x' }])
    await world.ctx.db
      .update(releases)
      .set({ deadlineAt: world.clock.now() })
      .where(eq(releases.id, ids[0] as Release['id']))
    await sweep(world.ctx)
    expect(await view(1)).toMatchObject({ state: 'failed', failure: 'not_finished' })
  })

  it('keeps the ten newest failed releases and those that went live', async () => {
    // The number of releases per user is limited.
    const user = await world.user()
    const { id, deployAndWait, rollBack, waitForEnd, visit } = await newSite(user)
    await deployAndWait({ 'index.html': 'one' })
    await deployAndWait({ 'index.html': 'two' })
    for (let number = 3; number <= 14; number++) await deployAndWait({ 'page.html': `${number}` })
    const query = { perPage: 100 }
    const { items } = await user.call(listReleases, { params: { id }, query })
    expect(items.map(({ number }) => number)).toEqual([
      ...[14, 13, 12, 11, 10, 9, 8, 7, 6, 5],
      ...[2, 1],
    ])
    await rollBack(1)
    expect(await waitForEnd(15)).toMatchObject({ state: 'live' })
    await until(async () => (await visit()).body === 'one')
  })
})

describe(title(listReleases), () => {
  it('lists the ten newest releases and the size limit of an archive', async () => {
    const { id, deployAndWait } = await newSite()
    for (let number = 1; number <= 12; number++)
      await deployAndWait({ 'index.html': `release ${number}` })
    const { items, maxArchiveBytes } = await owner.call(listReleases, {
      params: { id },
      query: { perPage: 100 },
    })
    expect(maxArchiveBytes).toBe(1_000_000)
    expect(items.map(({ number }) => number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  })
})

describe(title(rollBackRelease), () => {
  it('makes a new release with the files of an earlier one', async () => {
    const { deployAndWait, rollBack, waitForEnd, visit } = await newSite()
    await deployAndWait({ 'index.html': 'one' })
    await deployAndWait({ 'index.html': 'two' })
    expect(await rollBack(1)).toMatchObject({ number: 3, source: 'rollback', rollbackOf: 1 })
    expect(await waitForEnd(3)).toMatchObject({ state: 'live', changes: { changed: 1 } })
    await until(async () => (await visit()).body === 'one')
  })

  it('records the rollback as an action of its user, like live and failed releases', async () => {
    const user = await world.user()
    const { id, deployAndWait, rollBack, waitForEnd } = await newSite(user)
    await deployAndWait({ 'index.html': 'one' })
    await deployAndWait({ 'page.html': 'no start page' })
    await deployAndWait({ 'index.html': 'two' })
    await rollBack(1)
    await waitForEnd(4)
    const { items } = await user.call(listProjectActivity, { params: { id }, query: {} })
    const ended = items.filter(({ kind }) => kind.startsWith('release_')).reverse()
    expect(ended.map(({ kind, subject, after }) => [kind, subject, after])).toEqual([
      ['release_live', '1', null],
      ['release_failed', '2', 'index_missing'],
      ['release_live', '3', null],
      ['release_rolled_back', '4', '1'],
    ])
    for (const { actor } of ended) expect(actor).toMatchObject({ kind: 'user', id: user.id })
    expect(items.map(({ kind }) => kind)).toContain('project_ready')
  })

  it('rejects a rollback to any release with the files that are live', async () => {
    const user = await world.user()
    const { id, deployAndWait, rollBack, waitForEnd } = await newSite(user)
    await deployAndWait({ 'index.html': 'one' })
    await deployAndWait({ 'index.html': 'two' })
    await deployAndWait({ 'index.html': 'two' })
    await rollBack(1)
    await waitForEnd(4)
    const current = async () => {
      const { items } = await user.call(listReleases, { params: { id }, query: {} })
      return items.filter(({ isCurrent }) => isCurrent).map(({ number }) => number)
    }
    expect(await current()).toEqual([4, 1])
    expect(await errorCodeOf(rollBack(1))).toBe('release_already_live')
    await rollBack(3)
    await waitForEnd(5)
    expect(await current()).toEqual([5, 3, 2])
    expect(await errorCodeOf(rollBack(2))).toBe('release_already_live')
  })

  it('rejects the release that is live, and makes no other one', async () => {
    const user = await world.user()
    const { id, deployAndWait, rollBack } = await newSite(user)
    await deployAndWait({ 'index.html': 'one' })
    expect(await errorCodeOf(rollBack(1))).toBe('release_already_live')
    const { items } = await user.call(listReleases, { params: { id }, query: {} })
    expect(items.map(({ number }) => number)).toEqual([1])
  })

  it('makes one release of concurrent requests with different idempotency keys', async () => {
    const { id, deployAndWait, waitForEnd } = await newSite()
    await deployAndWait({ 'index.html': 'one' })
    await deployAndWait({ 'index.html': 'two' })
    const rollBack = (idempotencyKey: string) =>
      outcome(owner.call(rollBackRelease, { params: { id }, body: { number: 1 }, idempotencyKey }))
    // The job of the second release may still have its lock.
    await until(() => world.ctx.locks.exclusively(deployLock(id), async () => true))
    // No release of the project is deployed meanwhile.
    const checked = Promise.withResolvers<true>()
    const lock = world.ctx.locks.exclusively(deployLock(id), () => checked.promise)
    const outcomes = await Promise.all([rollBack('first'), rollBack('second')])
    expect(outcomes.toSorted()).toEqual(['ok', 'release_in_progress'])
    checked.resolve(true)
    expect(await lock).toBe(true)
    expect((await waitForEnd(3)).state).toBe('live')
    expect(await rollBack('third')).toBe('release_already_live')
  })

  it('rejects a release that failed or does not exist', async () => {
    const { deployAndWait, rollBack } = await newSite()
    await deployAndWait({ 'page.html': 'x' })
    expect(await errorCodeOf(rollBack(1))).toBe('release_not_found')
    expect(await errorCodeOf(rollBack(7))).toBe('release_not_found')
  })
})

describe('a release', () => {
  it.each([
    ['failed_creating', true],
    ['ready', false],
  ] as const)('of a project that is %s may create its files: %s', async (state, mayCreate) => {
    // Each user may create a limited number of releases.
    const user = await world.user()
    const { id, key } = await world.project({ teamId: user.teamId, runtime: 'static', state })
    const staging = vi.spyOn(world.ctx.engine, 'stage')
    onTestFinished(() => staging.mockRestore())
    const body = zip({ 'index.html': state })
    await user.call(createRelease, { params: { id }, query: {}, body })
    const call = await until(() => staging.mock.calls.find(([instance]) => instance.key === key))
    expect(call[1]).toMatchObject({ mayCreate })
  })
})

describe(title(viewRelease), () => {
  it('returns release_not_found for an unknown and an invalid number', async () => {
    const { id } = await newSite()
    for (const number of ['1', '0', '-1', 'x', '99999999999'])
      expect(await errorCodeOf(owner.call(viewRelease, { params: { id, number } }))).toBe(
        'release_not_found',
      )
  })
})

describe('installed packages', () => {
  it('of the fourth-newest release are removed; its files stay for a rollback', async () => {
    const { id, deployAndWait } = await newSite()
    const artifacts: string[] = []
    for (const page of ['one', 'two', 'three', 'four']) {
      await deployAndWait({ 'index.html': `with packages: ${page}` })
      const artifact = await artifactOf(id)
      artifacts.push(artifact)
      // As the installation of a Node app leaves them.
      await mkdir(join(world.ctx.artifacts.filesOf(artifact).build('node-1'), 'node_modules'), {
        recursive: true,
      })
    }
    await removeUnused(world.ctx)
    const filesOf = (artifact: string) => world.ctx.artifacts.filesOf(artifact)
    expect(artifacts.map((artifact) => existsSync(filesOf(artifact).build('node-1')))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(artifacts.every((artifact) => existsSync(filesOf(artifact).files))).toBe(true)
  })

  it('that are being removed are gone before a rollback to their release starts', async () => {
    const { id, key, deployAndWait, rollBack, waitForEnd, visit } = await newSite()
    const artifacts: string[] = []
    for (const page of ['one', 'two', 'three', 'four']) {
      await deployAndWait({ 'index.html': `rolled back: ${page}` })
      artifacts.push(await artifactOf(id))
    }
    const [oldest = ''] = artifacts
    const events: string[] = []
    const tries = vi.spyOn(world.ctx.locks, 'exclusively')
    const { engine } = world.ctx
    const stage = engine.stage.bind(engine)
    // Releases that earlier tests left unfinished may be deployed meanwhile.
    const staging = vi.spyOn(engine, 'stage').mockImplementation((instance, options) => {
      if (instance.key === key) events.push('staged')
      return stage(instance, options)
    })
    onTestFinished(() => void [tries.mockRestore(), staging.mockRestore()])
    const lockTries = () =>
      tries.mock.calls.filter(([name]) => name === artifactLock(oldest)).length
    const release = Promise.withResolvers<number>()
    const artifactStore = {
      ...world.ctx.artifacts,
      /** The rollback begins when the removal has been decided. */
      async removeBuilds(artifact: string) {
        if (artifact === oldest) {
          const before = lockTries()
          release.resolve((await rollBack(1)).number)
          await until(() => lockTries() > before + 1 || events.includes('staged'))
        }
        await world.ctx.artifacts.removeBuilds(artifact)
        if (artifact === oldest) events.push('removed')
      },
    }
    await removeUnused({ ...world.ctx, artifacts: artifactStore })
    expect((await waitForEnd(await release.promise)).state).toBe('live')
    expect(events).toEqual(['removed', 'staged'])
    await until(async () => (await visit()).body === 'rolled back: one')
    await removeUnused(world.ctx)
    expect(await world.ctx.artifacts.list()).toEqual(expect.arrayContaining(artifacts))
  })
})

const artifactOf = async (id: ProjectId) => {
  const [row] = await world.ctx.db.select().from(projects).where(eq(projects.id, id))
  return String(row?.artifact)
}

describe('unused artifacts', () => {
  /** Deletes a project, and the artifacts that are no longer used. */
  const deleteProjectAndFiles = async ({ id, key }: { id: ProjectId; key: string }) => {
    await owner.call(deleteProject, { params: { id } })
    const state = async () => (await owner.call(viewProject, { params: { key } })).state
    await until(async () => (await state()) === 'deleted')
    await removeUnused(world.ctx)
  }

  it('are removed with the last release that has them, and with a deleted project', async () => {
    const firstSite = await newSite()
    const secondSite = await newSite()
    const shared = { 'index.html': 'of two sites' }
    await firstSite.deployAndWait(shared)
    await secondSite.deployAndWait(shared)
    const artifact = await artifactOf(firstSite.id)
    const isStored = async () => (await world.ctx.artifacts.list()).includes(artifact)
    await deleteProjectAndFiles(firstSite)
    expect(await isStored()).toBe(true)
    await deleteProjectAndFiles(secondSite)
    expect(await isStored()).toBe(false)
  })

  it('are removed although others cannot be', async () => {
    const [stuckSite, otherSite] = [await newSite(), await newSite()]
    await stuckSite.deployAndWait({ 'index.html': 'stays' })
    await otherSite.deployAndWait({ 'index.html': 'is removed' })
    const [stuck, other] = [await artifactOf(stuckSite.id), await artifactOf(otherSite.id)]
    const { remove } = world.ctx.artifacts
    const removing = vi
      .spyOn(world.ctx.artifacts, 'remove')
      .mockImplementation(async (artifact) => {
        if (artifact === stuck) throw new Error('input/output error')
        await remove(artifact)
      })
    const abandoned = vi.spyOn(world.ctx.artifacts, 'removeAbandoned')
    abandoned.mockRejectedValue(new Error('input/output error'))
    onTestFinished(() => void [removing.mockRestore(), abandoned.mockRestore()])
    await deleteProjectAndFiles(stuckSite)
    await deleteProjectAndFiles(otherSite)
    expect(await world.ctx.artifacts.list()).toContain(stuck)
    expect(await world.ctx.artifacts.list()).not.toContain(other)
  })

  it('stay while an upload of the same files has no release yet', async () => {
    const [firstSite, secondSite] = [await newSite(), await newSite()]
    const shared = { 'index.html': 'uploaded twice' }
    const { receive } = world.ctx.artifacts
    const receiving = vi.spyOn(world.ctx.artifacts, 'receive')
    onTestFinished(() => receiving.mockRestore())
    receiving.mockImplementationOnce(async (upload) => {
      const received = await receive(upload)
      await firstSite.deployAndWait(shared)
      await deleteProjectAndFiles(firstSite)
      return received
    })
    expect(await secondSite.deployAndWait(shared)).toMatchObject({ state: 'live' })
    await until(async () => (await secondSite.visit()).body === shared['index.html'])
    await deleteProjectAndFiles(secondSite)
    expect(await world.ctx.artifacts.list()).not.toContain(await artifactOf(secondSite.id))
  })
})
