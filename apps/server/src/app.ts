import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@slipway/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { createArtifactStore } from './artifacts/artifact-store.ts'
import { authenticate } from './authenticate.ts'
import type { Clock } from './clock.ts'
import { connectionLimits } from './connection-limits.ts'
import type { Context } from './context.ts'
import { connect } from './db/connect.ts'
import { createDatabaseClock } from './db/database-clock.ts'
import { createLocks } from './db/locks.ts'
import { migrate } from './db/migrate.ts'
import { listen } from './db/notifications.ts'
import { createProbe } from './db/probe.ts'
import type { SendEmail } from './engines/hosting/local/egress/mail-socket.ts'
import type { Env } from './env/env.ts'
import { inheritedSocket } from './env/inherited-sockets.ts'
import { reachKeyName } from './gateway/reach.ts'
import { createRequestBatches } from './gateway/request-batches.ts'
import { createHosting, gatewayConsole } from './hosting.ts'
import { createServer, type Server } from './http/server.ts'
import { opensSocket } from './http/socket.ts'
import { queueMeasurement } from './jobs.metrics.ts'
import { startJobs } from './jobs.ts'
import { createLogs } from './logs/logs.ts'
import { createRequestLog } from './logs/request-log.ts'
import { readBuild } from './metrics/build.ts'
import {
  diskMeasurement,
  poolMeasurement,
  siteMeasurement,
  socketMeasurement,
} from './metrics/live-measurements.ts'
import type { Measurement } from './metrics/measurement.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createMetricsServer } from './metrics/metrics-server.ts'
import { createChallenges } from './modules/certificates/certificates.challenges.ts'
import { channel as certificatesChannel } from './modules/certificates/certificates.store.ts'
import { createCertificateTable } from './modules/certificates/certificates.table.ts'
import * as clusters from './modules/clusters/clusters.service.ts'
import * as events from './modules/events/events.service.ts'
import { loginProviders } from './modules/external-login/external-login.providers.ts'
import { channel as instancesChannel } from './modules/instances/instances.store.ts'
import { createInstanceTables } from './modules/instances/instances.table.ts'
import { createHostTable } from './modules/projects/projects.hosts.ts'
import * as projects from './modules/projects/projects.service.ts'
import { createPackageArchives } from './modules/release-archives/release-archives.packages.ts'
import * as releaseArchives from './modules/release-archives/release-archives.service.ts'
import { openSealing } from './modules/secrets/secrets.keys.ts'
import { sharedKey } from './modules/secrets/secrets.service.ts'
import { createSessions } from './modules/sessions/sessions.service.ts'
import { channel as sessionsChannel } from './modules/sessions/sessions.store.ts'
import * as siteEmails from './modules/site-emails/site-emails.service.ts'
import * as siteEmailTokens from './modules/site-emails/site-emails.tokens.ts'
import { createTrafficRecorder } from './modules/traffic/traffic.recorder.ts'
import { collectModules, type Modules } from './modules.ts'
import { createOrderedEvents } from './ordered-events.ts'
import { createPaymentGateway } from './payment-gateway.ts'
import { root } from './root.ts'
import { closePart, type Part } from './shutdown.ts'
import { createTimers } from './timers.ts'
import { createProxyWatch, warnOfMissingProxy } from './untrusted-proxy.ts'

export type App = {
  ctx: Context
  server: Server
  /** Starts the site gateway and the hosting engine, depending on the role. Part of `start`. */
  host(): Promise<void>
  /**
   * Starts the servers first, so that a restart is short for visitors, then hosting, jobs and
   * timers, depending on the role. Returns early when the signal aborts.
   */
  start(stopping?: AbortSignal): Promise<void>
  /** Reports as not ready for `SHUTDOWN_DELAY`, so that a load balancer sends no new requests. */
  drain(): Promise<void>
  /**
   * Stops accepting work, finishes current work and releases all resources. Each part has a
   * deadline, so that it always ends. Sites keep running for the next server unless `stopSites` is
   * true.
   */
  close(options?: { stopSites: boolean }): Promise<void>
}

export type AppOptions = {
  env: Env
  /** Connection options of `pg`. */
  database: pg.ClientConfig
  log: FastifyBaseLogger
  /** The clock of the database by default. */
  clock?: Clock
  /** False in tests: a scheduled job would run in the middle of one. */
  schedules?: boolean
}

const builtConsole = join(root, 'apps/console/dist')

/** Composes the service and migrates its database. Nothing listens or runs until `start`. */
export async function createApp({
  env,
  database: options,
  log,
  clock: givenClock,
  schedules = true,
}: AppOptions): Promise<App> {
  const does = (role: Env['ROLE']) => env.ROLE === 'all' || env.ROLE === role
  const modules = collectModules()
  await migrate(options)
  const onError = (err: Error) => log.warn({ err }, 'an idle database connection broke')
  const database = connect(options, { onError })
  const jobsDatabase = connect(options, { onError, connections: 8, forJobs: true })
  const { db } = database
  const probe = createProbe(options)
  const stopping = new AbortController()
  const clock = givenClock ?? (await createDatabaseClock(probe, log, stopping.signal))
  const sealing = await openSealing({ env, db })
  const channels = [events.channel, sessionsChannel, certificatesChannel, instancesChannel]
  const notifications = await listen(options, channels, log)
  const worker = does('worker')
  const jobsOptions = { ...options, worker, schedules: worker && schedules }
  const jobs = await startJobs(jobsOptions, modules.jobs, log)
  const locks = createLocks(database.options, log)
  const sessions = createSessions(db, clock, notifications)
  const connections = connectionLimits(env, log)
  warnOfMissingProxy(env, log)
  const proxies = createProxyWatch(connections, log)
  const artifacts = createArtifactStore(env.DATA_DIR, artifactLimits(env))
  const logs = createLogs(env.DATA_DIR, log, {
    exists: (key) => projects.existsByKey(ctx.forJobs(), key),
  })
  const write: Context['write'] = (work) => db.transaction(work)
  const instances = () =>
    createInstanceTables({ clock, db, log, stopping: stopping.signal, write }, notifications)
  const sendEmail: SendEmail = (key, email) => siteEmails.send(ctx.forJobs(), key, email)
  const prepareArchive = (artifact: string) => releaseArchives.prepare(ctx.forJobs(), artifact)
  const packages = createPackageArchives(() => ctx.forJobs())
  const emailAccess = (key: string) => siteEmailTokens.emailAccess(ctx.forJobs(), key)
  const desiredInstance = (key: string) => projects.desiredInstance(ctx.forJobs(), key)
  const now = () => clock.now().getTime()
  const missingForPrograms = (cluster: string) => clusters.missingForPrograms(ctx, cluster)
  const parts = {
    artifacts,
    logs,
    sendEmail,
    instances,
    prepareArchive,
    packages,
    emailAccess,
    desiredInstance,
    missingForPrograms,
    now,
  }
  const hosting = await createHosting(env, parts, log, connections)
  const { engine, gateway } = hosting

  const ctx: Context = {
    env,
    db,
    clock,
    log,
    jobs,
    engine,
    artifacts,
    logs,
    paymentGateway: await createPaymentGateway(env, db, clock),
    sessions,
    loginProviders: loginProviders(env),
    keepsUser: modules.keepsUser,
    sealing,
    sealedColumns: modules.sealed,
    locks,
    probe,
    stopping: stopping.signal,
    write,
    forJobs: () => ({
      ...ctx,
      db: jobsDatabase.db,
      write: (work) => jobsDatabase.db.transaction(work),
    }),
  }
  await clusters.nameLocalProjects(ctx)
  if (env.ROLE !== 'gateway') await clusters.register(ctx)
  const server = await createServer(ctx, modules, authenticate, {
    web: does('web'),
    worker: does('worker'),
    consoleDir: env.CONSOLE_DIR ?? builtConsole,
    connections,
    proxies,
  })
  const timers = createTimers(ctx, modules.timers)

  if (server.hub) {
    const { hub } = server
    const publish = createOrderedEvents({
      findRecipients: (payload) => recipientsOf(ctx, modules, hub, payload),
      deliver: ({ ids, event }) => hub.publish(ids, event),
    })
    notifications.on(events.channel, (payload) => {
      publish(payload).catch((err) => {
        log.warn(
          { err },
          'an event did not reach its recipients: all sockets are closed to reconnect',
        )
        hub.restart()
      })
    })
    notifications.onGap(() => hub.restart())
    sessions.onEnd((ended) => hub.end(ended))
  }

  // The parts of a stage close at once, the stages one after another: jobs need the engine, and
  // everything needs the database.
  const traffic: Part[] = [
    { name: 'HTTP server', deadline: 8_000, close: () => server.app.close() },
    { name: 'timers', deadline: 8_000, close: () => timers.stop() },
  ]
  const recorders: Part[] = []
  const last: Part[] = []
  let drainGateway = () => {}
  const shutdown = (stopSites: boolean): Part[][] => [
    traffic,
    [{ name: 'jobs', deadline: 12_000, close: () => jobs.close() }],
    [{ name: 'hosting engine', deadline: 15_000, close: () => engine.close({ stopSites }) }],
    [{ name: 'logs', deadline: 3_000, close: () => logs.close() }, ...recorders],
    [
      { name: 'locks', deadline: 3_000, close: () => locks.close() },
      { name: 'notifications', deadline: 3_000, close: () => notifications.close() },
    ],
    [
      { name: 'database connections', deadline: 3_000, close: () => database.close() },
      { name: 'database connections of jobs', deadline: 3_000, close: () => jobsDatabase.close() },
      { name: 'probe', deadline: 3_000, close: () => probe.close() },
    ],
    last,
  ]

  /**
   * Serves metrics to Prometheus. Every process would report the same counts of rows, so only
   * workers report them.
   */
  async function serveMetrics(port: number) {
    const measurements: Measurement[] = [
      poolMeasurement(database),
      diskMeasurement(env.DATA_DIR),
      ...(server.hub ? [socketMeasurement(server.hub)] : []),
      ...(does('worker') ? [siteMeasurement(engine), queueMeasurement, ...modules.metrics] : []),
    ]
    const build = await readBuild(db)
    const metrics = createMetrics({ database: options, build, measurements, clock, log })
    const metricsServer = createMetricsServer(metrics, build, log)
    // Closed last: a shutdown that hangs can be seen.
    last.push({ name: 'metrics', deadline: 3_000, close: () => metricsServer.close() })
    await metricsServer.listen(port, env.METRICS_HOST)
  }

  async function listenForVisitors() {
    if (!does('gateway')) return
    // The gateway may pass requests to the server at once.
    await server.app.ready()
    const recorder = await createTrafficRecorder(ctx.forJobs())
    const logRequest = createRequestLog(logs)
    const finishedRequests = createRequestBatches((request) => {
      logRequest(request)
      recorder.record(request)
    })
    const sites = gateway({
      routes: await createHostTable(ctx, notifications),
      certificates:
        env.SITES_TLS_PORT === undefined
          ? undefined
          : await createCertificateTable(ctx, notifications),
      stopping: stopping.signal,
      console: gatewayConsole(env, { server: server.app.server, mayUpgrade: opensSocket }),
      ownPaths: {
        challenges: createChallenges(ctx),
        reachKey: await sharedKey(ctx, reachKeyName),
      },
      onStart: proxies.observe,
      onRequest: finishedRequests.add,
    })
    const close = () => sites.close().finally(finishedRequests.flush)
    traffic.push({ name: 'site gateway', deadline: 12_000, close })
    recorders.push({ name: 'traffic', deadline: 3_000, close: () => recorder.close() })
    drainGateway = sites.drain
    await sites.listen()
  }

  return {
    ctx,
    server,
    async host() {
      await listenForVisitors()
      if (does('worker')) await engine.start()
    },
    async start(stopping) {
      if (env.METRICS_PORT !== undefined) await serveMetrics(env.METRICS_PORT)
      await listenForVisitors()
      const consoleSocket = inheritedSocket('console')
      await server.app.listen({
        port: env.PORT,
        host: env.HOST,
        ...(consoleSocket === undefined ? {} : { fd: consoleSocket }),
        // Logs `PUBLIC_URL`: browsers may not reach the listening address.
        listenTextResolver: (address) =>
          does('web')
            ? `the console and the API are at ${env.PUBLIC_URL}`
            : `listening at ${address}`,
      })
      if (!does('worker')) return
      try {
        await engine.start(stopping)
        await jobs.work(ctx, stopping)
      } catch (error) {
        if (stopping?.aborted) return
        throw error
      }
      timers.start()
    },
    async drain() {
      server.drain()
      drainGateway()
      await delay(env.SHUTDOWN_DELAY * 1000)
    },
    async close({ stopSites } = { stopSites: false }) {
      stopping.abort()
      for (const parts of shutdown(stopSites))
        await Promise.all(parts.map((part) => closePart(part, log)))
    },
  }
}

const artifactLimits = (env: Env) => ({
  archiveBytes: env.RELEASE_MAX_MB * 1_000_000,
  unpackedBytes: env.RELEASE_MAX_MB * 1_000_000 * limits.releaseUnpackedFactor,
  files: limits.releaseFilesMax,
})

async function recipientsOf(
  ctx: Context,
  modules: Modules,
  hub: NonNullable<Server['hub']>,
  payload: string,
) {
  const event = events.read(payload)
  if (!event || hub.size === 0) return undefined
  const audience = modules.audience[event.kind]
  if (!audience) throw new Error(`no module declares the audience of ${event.kind}`)
  return { event, ids: await audience(ctx, event.data as never) }
}
