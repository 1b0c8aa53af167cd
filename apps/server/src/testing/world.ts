import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UserId } from '@slipway/contract/account'
import { type CaptchaSolution, getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { type Client, createClient } from '@slipway/contract/client'
import type { ProjectState } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import type { Locale } from '@slipway/phrases'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { type App, createApp } from '../app.ts'
import { authenticate } from '../authenticate.ts'
import { newId } from '../db/ids.ts'
import { defaultCluster, localCluster } from '../env/configured-clusters.ts'
import { type Env, readEnv } from '../env/env.ts'
import { inProcessFetch } from '../http/in-process-fetch.ts'
import { createServer } from '../http/server.ts'
import { serializers } from '../log.ts'
import * as account from '../modules/account/account.service.ts'
import { hashPassword } from '../modules/auth/auth.passwords.ts'
import { domains } from '../modules/domains/domains.schema.ts'
import { mails } from '../modules/mail/mail.schema.ts'
import { newKey } from '../modules/projects/projects.key.ts'
import { projects } from '../modules/projects/projects.schema.ts'
import { teamInvitations, teamMembers } from '../modules/teams/teams.schema.ts'
import * as teamsStore from '../modules/teams/teams.store.ts'
import { collectModules } from '../modules.ts'
import { createDatabase } from './database.ts'
import { documentedFetch } from './documented-fetch.ts'
import { freePort } from './free-port.ts'
import type { TestPostgres } from './postgres.setup.ts'
import { expectNoProcesses } from './processes.ts'

/** A clock that only the test moves. */
function testClock(start = new Date('2026-11-02T09:00:00.000Z')) {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    forward(milliseconds: number) {
      now += milliseconds
    },
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>
export type TestUser = Awaited<ReturnType<World['user']>>

/**
 * The real service on its own database, with a clock that the test moves. Requests work at once;
 * `host` runs the engine and the gateway, `startWorkers` the jobs.
 */
export async function createWorld(
  overrides: Partial<Env> = {},
  start?: Date,
  postgres?: TestPostgres,
) {
  const database = await createDatabase(postgres)
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-world-'))
  // As root the sites run as their own users, who must be able to enter the folder.
  await chmod(dataDir, 0o711)
  const clock = testClock(start)
  const [port, sitesPort] = [await freePort(), await freePort()]
  const env: Env = {
    ...readEnv({
      DATA_DIR: dataDir,
      PORT: String(port),
      SITES_PORT: String(sitesPort),
      RATE_LIMIT: '0',
      // No server listens there: tests send no DNS queries to the network.
      DNS_SERVERS: '127.0.0.1:9',
      // The tests of pictures turn them on.
      PICTURES_BROWSER: 'off',
      // No test depends on a built console.
      CONSOLE_DIR: join(dataDir, 'no-console'),
    }),
    ...overrides,
  }
  const logged: string[] = []
  const log = pino(
    { level: 'trace', serializers },
    { write: (line: string) => void logged.push(line) },
  )
  const apps: App[] = []

  /** Another server on the same database. */
  async function anotherApp(overrides: Partial<Env> = {}) {
    const app = await createApp({
      env: { ...env, ...overrides },
      database: database.options,
      log,
      clock,
      // Schedules follow the time of the machine, not the test's clock.
      schedules: false,
    })
    await app.server.app.ready()
    apps.push(app)
    return app
  }

  /** Another HTTP server, on the connections of the first. */
  async function anotherServer(overrides: Partial<Env>) {
    const { app: server } = await createServer(
      { ...ctx, env: { ...env, ...overrides } },
      await collectModules(),
      authenticate,
      { web: true, worker: false, consoleDir: '/nonexistent' },
    )
    return server
  }

  const app = await anotherApp()
  const { ctx } = app
  let userCount = 0

  const client = (token: string | null, locale = 'en', of: App = app): Client =>
    createClient({
      base: '/api',
      token: () => token,
      locale: () => locale,
      fetch: documentedFetch(inProcessFetch(of.server.app)),
    })

  return {
    app,
    ctx,
    clock,
    env,
    database,
    logged,
    anotherApp,
    anotherServer,
    client,
    guest: client(null),

    /** A user with a team and a session. */
    async user({
      verified = true,
      name,
      email,
      locale = 'en',
      password,
    }: {
      verified?: boolean
      name?: string
      email?: string
      locale?: Locale
      password?: string
    } = {}) {
      userCount++
      const passwordHash = password === undefined ? null : await hashPassword(password)
      const user = await ctx.write((tx) =>
        account.create({ ...ctx, locale }, tx, {
          name: name ?? `Person ${userCount}`,
          email: email ?? `user.${userCount}@example.com`,
          loginKind: 'Email',
          passwordHash,
          verifiedAt: verified ? clock.now() : null,
        }),
      )
      const token = await ctx.write((tx) => ctx.sessions.start(tx, user.id))
      const [team] = await teamsStore.listForUser(ctx.db, user.id)
      if (!team) throw new Error('a user without a team')
      return { ...user, token, teamId: team.id, call: client(token, locale) }
    },

    async join(user: { id: UserId }, teamId: TeamId) {
      await ctx.db.insert(teamMembers).values({ teamId, userId: user.id, createdAt: clock.now() })
    },

    /** Stores an invitation without an email and without counting it. */
    async invite({ email }: { email: string }, teamId: TeamId) {
      await ctx.db.insert(teamInvitations).values({ teamId, email, createdAt: clock.now() })
    },

    /** A project in any state. */
    async project({
      teamId,
      state = 'ready',
      name = 'Example site',
      ...overrides
    }: { teamId: TeamId; state?: ProjectState; name?: string } & Partial<
      typeof projects.$inferInsert
    >) {
      const now = clock.now()
      const [project] = await ctx.db
        .insert(projects)
        .values({
          id: newId<'Project'>(),
          teamId,
          key: newKey(name),
          regionId: 'eu',
          cluster: env.ENGINE.includes('local') ? localCluster : defaultCluster,
          name,
          state,
          generation: 1,
          appliedGeneration: state === 'ready' ? 1 : 0,
          createdAt: now,
          updatedAt: now,
          ...(state === 'deleted' ? { deletedAt: now } : {}),
          ...overrides,
        })
        .returning()
      if (!project) throw new Error('the project was not stored')
      if (project.domain !== null && state !== 'deleting' && state !== 'deleted')
        await ctx.db.insert(domains).values({
          id: newId<'Domain'>(),
          projectId: project.id,
          host: project.domain,
          role: 'primary',
          state: 'active',
          proof: 'none',
          provenAt: now,
          token: `slipway-${project.id}`,
          nextCheckAt: now,
          createdAt: now,
        })
      return project
    },

    /** The emails to an address, oldest first. */
    mailsTo: (recipient: string) =>
      ctx.db
        .select()
        .from(mails)
        .where(eq(mails.recipient, recipient))
        .orderBy(mails.createdAt, mails.id),

    /** A correct solution of a new challenge. */
    async captcha(): Promise<CaptchaSolution> {
      const challenge = await client(null)(getCaptchaChallenge)
      const number = solveCaptcha(challenge)
      if (number === null) throw new Error('the challenge has no solution')
      return { ...challenge, number }
    },

    /** Runs the hosting engine and the site gateway, without jobs and timers. */
    host: () => app.host(),

    /** Listens on the loopback and returns the port. */
    async listen(of: App = app) {
      await of.server.app.listen({ host: '127.0.0.1', port: 0 })
      const address = of.server.app.server.address()
      if (address === null || typeof address === 'string') throw new Error('it does not listen')
      return address.port
    },

    /** Listens on the port of PUBLIC_URL. */
    listenAtPublicUrl: () => app.server.app.listen({ host: '127.0.0.1', port: env.PORT }),

    /** Starts the job workers, without a hosting engine. */
    startWorkers: () => ctx.jobs.work(ctx),

    async close() {
      for (const each of apps.reverse()) await each.close({ stopSites: true })
      await expectNoProcesses(dataDir)
      await rm(dataDir, { recursive: true, force: true })
      await database.drop(logged)
    },
  }
}
