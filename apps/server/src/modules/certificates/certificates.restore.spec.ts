import { join } from 'node:path'
import { minute } from '@slipway/contract/limits'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../app.ts'
import { newFolder, urlOfWorld } from '../../backup/backup.fixture.ts'
import { createKeyPair } from '../../backup/backup-key.ts'
import { createBackup } from '../../backup/create-backup.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import type { Context } from '../../context.ts'
import { startEmbeddedPostgres } from '../../db/embedded.ts'
import { type AcmeWorld, createAcmeWorld } from './certificates.acme.fixture.ts'
import { createChallenges } from './certificates.challenges.ts'
import { processCertificate } from './certificates.process.ts'
import { statusByHost } from './certificates.service.ts'
import { listByHosts } from './certificates.store.ts'
import { acmeProblem, hasPebble } from './pebble.fixture.ts'

const silent = { info: () => undefined, warn: () => undefined }

describe.skipIf(!(await hasPebble()))('an order that was open when a backup was made', () => {
  let acme: AcmeWorld
  beforeAll(async () => {
    acme = await createAcmeWorld()
  })
  afterAll(() => acme?.close())

  /** Backs the service up, and returns it as restored on another machine. */
  async function restore() {
    const { env, ctx, clock } = acme
    const { recipient, identity } = await createKeyPair()
    const folder = await newFolder()
    const dataDir = join(await newFolder(), 'data')
    await createBackup({
      env: { DATA_DIR: env.DATA_DIR, DATABASE_URL: urlOfWorld(acme) },
      key: recipient,
      location: folder,
      signal: new AbortController().signal,
      warn: () => undefined,
    })
    return async () => {
      await restoreBackup({
        env: { DATA_DIR: dataDir, DATABASE_URL: undefined },
        key: identity,
        from: folder,
        queuedEmails: 'hold',
        log: ctx.log,
        say: () => undefined,
      })
      const database = await startEmbeddedPostgres({ dataDir, log: silent })
      onTestFinished(() => database.stop())
      const app = await createApp({
        env: { ...env, DATA_DIR: dataDir },
        database: database.connection,
        log: ctx.log,
        clock,
      })
      onTestFinished(() => app.close())
      return app.ctx
    }
  }

  const statusIn = async (ctx: Context, host: string) =>
    (await statusByHost(ctx.db, [host], ctx.clock.now())).get(host)

  it('is continued after the restore, and ordered again when the CA lost it', async () => {
    const [notSent, waiting, issuedSince, lost] = [
      acme.newHost(),
      acme.newHost(),
      acme.newHost(),
      acme.newHost(),
    ]
    // The account of a CA is older than the orders.
    await acme.order(acme.newHost())
    acme.ca.intercept(async ({ kind }) => (kind === 'newOrder' ? 'break' : undefined))
    await acme.order(notSent)
    await acme.reset()
    for (const host of [waiting, issuedSince, lost]) {
      acme.ca.intercept(async ({ kind }) => (kind === 'challenge' ? 'break' : undefined))
      await acme.order(host)
      await acme.reset()
    }
    const restored = await restore()
    await acme.later(2 * minute, () => acme.process(issuedSince))
    expect(await acme.statusOf(issuedSince)).toMatchObject({ state: 'active' })

    const ctx = await restored()
    acme.setChallengeResponse(createChallenges(ctx).find)
    acme.ca.reset()
    const ordered: unknown[] = []
    acme.ca.rewrite(({ kind, payload }, body) => {
      if (kind === 'newOrder' && 'identifiers' in Object(body)) ordered.push(payload?.identifiers)
      return body
    })
    const process = async (host: string) => {
      const [row] = await listByHosts(ctx.db, [host])
      if (row) await processCertificate(ctx, row.id)
    }
    await acme.later(3 * minute, async () => {
      for (const host of [notSent, waiting, issuedSince]) {
        await process(host)
        expect(await statusIn(ctx, host)).toMatchObject({ state: 'active', problem: null })
      }
      acme.ca.intercept(async ({ kind }) =>
        kind === 'order' ? acmeProblem(404, 'malformed', 'No such order') : undefined,
      )
      await process(lost)
      expect(await statusIn(ctx, lost)).toMatchObject({ state: 'failed' })
      acme.ca.intercept(async () => undefined)
    })
    await acme.later(10 * minute, () => process(lost))
    expect(await statusIn(ctx, lost)).toMatchObject({ state: 'active', problem: null })
    const identifier = (value: string) => [{ type: 'dns', value }]
    expect(ordered).toEqual([identifier(notSent), identifier(lost)])
  }, 120_000)
})
