import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { createClient } from '@slipway/contract/client'
import { changeEnvironment } from '@slipway/contract/environment'
import { viewInvoice } from '@slipway/contract/invoices'
import { hour } from '@slipway/contract/limits'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import { createProject, listProjects, viewProject } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { viewTicket } from '@slipway/contract/support'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, type Db } from '../db/connect.ts'
import { findRunningConnection, startEmbeddedPostgres } from '../db/embedded.ts'
import { sandboxCharges } from '../engines/payments/sandbox/sandbox.schema.ts'
import { metrics } from '../modules/backups/backups.metrics.ts'
import * as backups from '../modules/backups/backups.service.ts'
import { mails } from '../modules/mail/mail.schema.ts'
import * as mail from '../modules/mail/mail.service.ts'
import {
  chargeWithoutResponse,
  onlyInvoice,
  overrideGateway,
  payer,
} from '../modules/payments/payments.fixture.ts'
import { openTicket } from '../modules/support/support.fixture.ts'
import { supportTickets } from '../modules/support/support.schema.ts'
import { sitePage } from '../testing/site-page.ts'
import { until } from '../testing/until.ts'
import { createWorld, type World } from '../testing/world.ts'
import {
  backupProgram,
  newFolder,
  runBackup,
  runRestore,
  spawnProgram,
  startServer,
  urlOfWorld,
} from './backup.fixture.ts'
import { createKeyPair } from './backup-key.ts'
import { backupLock, createBackup } from './create-backup.ts'
import { beginSnapshot, databaseEntries } from './database-dump.ts'

async function worldForTest() {
  const world = await createWorld()
  onTestFinished(() => world.close())
  return world
}

/** A world's environment for the commands, and a pair of keys. */
async function targetOf(world: World) {
  const { recipient, identity } = await createKeyPair()
  const env = { DATA_DIR: world.env.DATA_DIR, DATABASE_URL: urlOfWorld(world) }
  return { recipient, identity, env, folder: await newFolder() }
}

const noWarning = (sentence: string) => {
  throw new Error(sentence)
}

const backUp = (
  { env, recipient }: Awaited<ReturnType<typeof targetOf>>,
  location: string,
  overrides: { keepDays?: number; warn?: (sentence: string) => void } = {},
) =>
  createBackup({
    env,
    key: recipient,
    location,
    signal: new AbortController().signal,
    warn: noWarning,
    ...overrides,
  })

const addHour = (backup: { finishedAt: Date } | undefined) =>
  new Date((backup?.finishedAt.getTime() ?? NaN) + hour)

/** Queries the embedded database of a data folder, whether a server runs on it or not. */
async function queryIn<Result>(dataDir: string, query: (db: Db) => Promise<Result>) {
  const running = findRunningConnection(dataDir)
  const started = running ? undefined : await startEmbeddedPostgres({ dataDir, log: silent })
  const connection = running ?? started?.connection ?? {}
  // A stopping server ends the connection, even after the query.
  const { db, close } = connect(connection, { connections: 1, onError: () => undefined })
  try {
    return await query(db)
  } finally {
    await close()
    await started?.stop()
  }
}

const silent = { info: () => undefined, warn: () => undefined }

/** Locks backups, as another running backup does. */
async function lockBackups({ env }: { env: { DATABASE_URL: string } }) {
  const client = new pg.Client(env.DATABASE_URL)
  await client.connect()
  await client.query('select pg_advisory_lock($1)', [backupLock])
  return { end: () => client.end() }
}

async function logIn(base: string, email: string, password: string) {
  let token: string | null = null
  const call = createClient({ base: `${base}/api`, token: () => token, locale: () => 'en' })
  token = (await call(login, { body: { email, password } })).token
  return call
}

describe('npm run backup and npm run restore', () => {
  it('a running service continues on another machine and another PostgreSQL', async () => {
    const password = 'Correct-horse7'
    const world = await worldForTest()
    const { recipient, identity, env, folder } = await targetOf(world)
    await world.host()
    await world.startWorkers()
    const user = await payer(world, { count: 2, password })
    await user.pay()
    const ticket = await openTicket(user, 'The page is blue')
    const { key } = await user.call(createProject, {
      body: { name: 'Harbour café', teamId: user.teamId, regionId: 'eu', domain: null },
    })
    await until(async () => {
      const projects = await user.call(listProjects)
      return projects.find((project) => project.key === key)?.state === 'ready'
    })
    const content = join(world.env.DATA_DIR, 'sites', key, 'data', 'content.json')
    const saved = { ...JSON.parse(await readFile(content, 'utf8')), title: 'Fresh fish at noon' }
    await writeFile(content, JSON.stringify(saved))
    // Charged, but its response never arrived.
    const otherPayer = await payer(world, { password })
    const { restore } = overrideGateway(world, chargeWithoutResponse(world))
    await otherPayer.pay()
    restore()

    const backup = await runBackup([folder], { ...env, BACKUP_KEY: recipient })
    expect(backup).toEqual({ code: 0, output: expect.stringContaining('Backed up to') })
    expect((await readFile(join(folder, (await readdir(folder))[0] ?? ''))).includes(key)).toBe(
      false,
    )
    const dataDir = join(await newFolder(), 'data')
    const restored = await runRestore([folder, '--to', dataDir], { BACKUP_KEY: identity })
    expect(restored).toEqual({ code: 0, output: expect.stringContaining('Restored.') })
    await world.app.close()

    const server = await startServer(dataDir)
    const call = await logIn(server.base, user.email, password)
    const page = await until(async () => {
      const response = await sitePage(server.sitesPort, `${key}.localhost`)
      return response.status === 200 && response
    })
    expect(page.body).toContain('Fresh fish at noon')
    expect((await call(viewProject, { params: { key } })).state).toBe('ready')
    const paid = await call(viewInvoice, { params: { id: onlyInvoice(user) } })
    expect(paid.paidAt).not.toBeNull()
    expect((await call(viewTicket, { params: { id: ticket.id } })).subject).toBe('The page is blue')
    const otherCall = await logIn(server.base, otherPayer.email, password)
    await until(async () => {
      const { paidAt } = await otherCall(viewInvoice, { params: { id: onlyInvoice(otherPayer) } })
      return paidAt !== null
    })
    expect(await queryIn(dataDir, (db) => db.$count(sandboxCharges))).toBe(2)
    const oldSession = await fetch(`${server.base}/api/management/project/all`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect(oldSession.status).toBe(401)

    // The restored service, which runs on the embedded PostgreSQL, can be backed up too.
    const settings = { DATA_DIR: dataDir, BACKUP_KEY: identity }
    const second = await runBackup([await newFolder()], settings)
    expect(second).toEqual({ code: 0, output: expect.stringContaining('Backed up to') })
    await server.stop()
    const stopped = await runBackup([await newFolder()], settings)
    expect(stopped).toEqual({ code: 0, output: expect.stringContaining('Backed up to') })
  })

  it('backups are stored in a bucket of S3 as in a folder', async () => {
    const world = await worldForTest()
    const { recipient, identity, env } = await targetOf(world)
    const ticket = await openTicket(await world.user(), 'In a bucket')
    // More than one part of an upload.
    await writeFile(join(world.env.DATA_DIR, 'large'), randomBytes(40 * 2 ** 20))
    const s3 = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: await newFolder(),
      configureBuckets: [{ name: 'safe' }],
      // S3rver computes the signatures of a bucket's own URL without the slash at its end.
      allowMismatchedSignatures: true,
    })
    const { port } = await s3.run()
    onTestFinished(() => s3.close())
    const access = {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    }
    const location = 's3://safe/of/slipway'
    const outcome = await runRestore([location, '--check'], { ...access, BACKUP_KEY: identity })
    expect(outcome).toEqual({
      code: 1,
      output: `The restore failed: there is no backup in ${location}\n`,
    })

    const backup = await runBackup([location, '--keep-days', '1'], {
      ...env,
      ...access,
      BACKUP_KEY: recipient,
    })
    expect(backup).toEqual({ code: 0, output: expect.stringContaining(`Backed up to ${location}`) })
    const dataDir = join(await newFolder(), 'data')
    const restored = await runRestore([location], {
      ...access,
      DATA_DIR: dataDir,
      BACKUP_KEY: identity,
    })
    expect(restored).toEqual({ code: 0, output: expect.stringContaining('Restored.') })
    const large = (folder: string) => readFile(join(folder, 'large'))
    expect((await large(dataDir)).equals(await large(world.env.DATA_DIR))).toBe(true)
    const tickets = await queryIn(dataDir, (db) => db.select().from(supportTickets))
    expect(tickets).toEqual([expect.objectContaining({ id: ticket.id, subject: 'In a bucket' })])
  })

  it('a killed backup leaves nothing that can be restored', async () => {
    const world = await worldForTest()
    const { recipient, identity, env, folder } = await targetOf(world)
    await writeFile(join(world.env.DATA_DIR, 'large'), randomBytes(100 * 2 ** 20))
    const { child, closed } = spawnProgram(backupProgram, [folder], {
      ...env,
      BACKUP_KEY: recipient,
    })
    await until(async () => (await readdir(folder)).length > 0)
    child.kill('SIGKILL')
    await closed

    expect(await readdir(folder)).toEqual([expect.stringMatching(/\.unfinished$/)])
    const { output } = await runRestore([folder, '--check'], { BACKUP_KEY: identity })
    expect(output).toBe(`The restore failed: there is no backup in ${folder}\n`)
  })

  it('an interrupted backup removes its files', async () => {
    const world = await worldForTest()
    const { recipient, env, folder } = await targetOf(world)
    await writeFile(join(world.env.DATA_DIR, 'large'), randomBytes(100 * 2 ** 20))
    const { child, closed, output } = spawnProgram(backupProgram, [folder], {
      ...env,
      BACKUP_KEY: recipient,
    })
    await until(async () => (await readdir(folder)).length > 0)
    child.kill('SIGTERM')
    expect(await closed).toEqual([1, null])
    expect(output.text).toBe('The backup failed: it was stopped by SIGTERM\n')
    expect(await readdir(folder)).toEqual([])
  })

  it('a second backup of one database at the same time is rejected', async () => {
    const world = await worldForTest()
    const target = await targetOf(world)
    const first = await lockBackups(target)
    await expect(backUp(target, target.folder)).rejects.toThrow(
      'another backup of this database is running: wait for its end',
    )
    await first.end()
    await backUp(target, target.folder)
  })

  it('the database is a consistent snapshot, also during writes', async () => {
    const world = await worldForTest()
    const client = new pg.Client(world.database.options)
    await client.connect()
    onTestFinished(() => client.end())
    const { id } = await world.user({ email: 'before@example.com' })
    const content = await beginSnapshot(client)
    await world.user({ email: 'after@example.com' })
    await openTicket(await world.user({ email: 'another@example.com' }))
    await world.ctx.db.execute(sql`update users set name = 'Renamed' where id = ${id}`)

    const texts: string[] = []
    for await (const entry of databaseEntries(client, content, new Date()))
      if (entry.path.startsWith('database/users/'))
        for await (const chunk of entry.content) texts.push(chunk.toString())
    const users = texts.join('')
    expect(users).toContain('before@example.com')
    expect(users).not.toContain('after@example.com')
    expect(users).not.toContain('Renamed')
    expect(content.tables.find(({ name }) => name === 'support_tickets')?.rows).toBe(0)
  })

  it('a backup has the variables of sites, sealed, and no personal token', async () => {
    const world = await worldForTest()
    const client = new pg.Client(world.database.options)
    await client.connect()
    onTestFinished(() => client.end())
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId })
    const set = { API_KEY: 'a variable of a site' }
    await call(changeEnvironment, { params: { id }, body: { set } })
    const name = 'The build server'
    const { token } = await call(createPersonalToken, { body: { name, projectIds: [id] } })

    const content = await beginSnapshot(client)
    const texts: string[] = []
    for await (const entry of databaseEntries(client, content, new Date()))
      for await (const chunk of entry.content) texts.push(chunk.toString())
    const text = texts.join('')
    expect(text).toContain('API_KEY')
    expect(text).not.toContain('a variable of a site')
    const hash = createHash('sha256').update(token).digest()
    for (const part of [token, hash.toString('hex'), hash.toString('base64')])
      expect(text).not.toContain(part)
    const backedUp = content.tables.map((table) => table.name)
    expect(backedUp).toContain('project_variables')
    expect(backedUp).not.toContain('personal_tokens')
  })

  it('a backup has every table, except those with credentials and those that are created again', async () => {
    const world = await worldForTest()
    const client = new pg.Client(world.database.options)
    await client.connect()
    onTestFinished(() => client.end())
    const content = await beginSnapshot(client)
    for await (const _ of databaseEntries(client, content, new Date()));
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
    )
    const backedUp = new Set(content.tables.map(({ name }) => name))
    expect(
      rows.map(({ name }) => name).filter((name) => !backedUp.has(name)),
    ).toMatchInlineSnapshot(`
      [
        "access_tokens",
        "attempts",
        "authorization_codes",
        "certificate_challenges",
        "cluster_checks",
        "device_authorizations",
        "external_login_codes",
        "external_logins",
        "mail_tokens",
        "offline_grants",
        "personal_token_projects",
        "personal_tokens",
        "refresh_tokens",
        "sessions",
        "site_pictures",
        "socket_tickets",
        "spent_captchas",
        "traffic_salts",
        "traffic_writers",
      ]
    `)
  })

  /** The output of a restore with a queued email, and the emails and jobs after it. */
  async function restoreQueuedEmail(...options: string[]) {
    const world = await worldForTest()
    const target = await targetOf(world)
    const { ctx } = world
    await ctx.write((tx) =>
      mail.send(ctx, tx, {
        key: 'test',
        to: 'waiting@example.com',
        locale: 'en',
        kind: 'account',
        subject: 'Hello',
        paragraphs: ['Hello'],
      }),
    )
    await backUp(target, target.folder)
    const dataDir = join(await newFolder(), 'data')
    const { output } = await runRestore([target.folder, '--to', dataDir, ...options], {
      BACKUP_KEY: target.identity,
    })
    const { states, jobs } = await queryIn(dataDir, async (db) => ({
      states: await db.select({ state: mails.state }).from(mails),
      jobs: await db.execute(sql`select name from pgboss.job where state = 'created'`),
    }))
    return { output, states, jobs: jobs.rows }
  }

  it('queued emails are marked as failed, because they may have been sent since', async () => {
    const { output, states } = await restoreQueuedEmail()
    expect(output).toContain('1 emails waited and are not sent')
    expect(states).toEqual([{ state: 'failed' }])
  })

  it('queued emails are sent on request', async () => {
    const { states, jobs } = await restoreQueuedEmail('--queued-emails', 'send')
    expect(states).toEqual([{ state: 'queued' }])
    expect(jobs).toEqual([{ name: mail.deliverJob }])
  })

  it('old backups are removed by the day, but never the seven newest', async () => {
    const world = await worldForTest()
    const target = await targetOf(world)
    const names = Array.from(
      { length: 9 },
      (_, index) => `slipway-2026010${index + 1}T000000Z.tar.zst.age`,
    )
    for (const name of [...names, 'notes.txt']) await writeFile(join(target.folder, name), '')
    const { name, removed } = await backUp(target, target.folder, { keepDays: 30 })
    expect(removed).toEqual(names.slice(0, 3))
    expect(await readdir(target.folder)).toEqual(['notes.txt', ...names.slice(3), name])
    const { removed: others } = await backUp(target, await newFolder())
    expect(others).toEqual([])
  })

  it('the job backs up to BACKUP_URL and records when', async () => {
    const world = await worldForTest()
    const { recipient, env, folder } = await targetOf(world)
    const settings = { ...world.env, ...env, BACKUP_URL: folder, BACKUP_KEY: recipient }
    const [age] = metrics
    expect(await age?.read(world.ctx)).toEqual([])
    expect(await backups.newest(world.ctx)).toBeUndefined()
    await backups.create({ ...world.ctx, env: settings })
    const [name = ''] = await readdir(folder)
    const newest = await backups.newest(world.ctx)
    expect(newest).toMatchObject({ name, location: folder, bytes: expect.any(Number) })
    expect(newest?.finishedAt.getTime()).toBeGreaterThanOrEqual(newest?.startedAt.getTime() ?? NaN)

    expect(await age?.read({ ...world.ctx, clock: { now: () => addHour(newest) } })).toEqual([
      { name: 'slipway_backup_age_seconds', value: 3600 },
    ])
    const wrong = { ...settings, BACKUP_URL: join(folder, name) }
    await expect(backups.create({ ...world.ctx, env: wrong })).rejects.toThrow('The backup failed')
  })
})
