import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { minute } from '@slipway/contract/limits'
import { createArtifactLayout } from '../../artifacts/artifact-layout.ts'
import type { Context } from '../../context.ts'
import { digestOfArchive, writeArchive } from '../../engines/hosting/content/content-archive.ts'
import type { ContentArchive } from '../../engines/hosting/engine.ts'
import * as secrets from '../secrets/secrets.service.ts'
import * as store from './content-archives.store.ts'

type Ctx = Pick<Context, 'clock' | 'db' | 'env' | 'sealing' | 'write'>

/** For how long an address is valid. */
const addressLifetime = 60 * minute

/** In the folder of unfinished uploads: backups omit it, and a job removes leftover files. */
const fileOf = ({ env }: Pick<Ctx, 'env'>, id: string) =>
  join(createArtifactLayout(env.DATA_DIR).incoming, `${id}.content`)

const sign = async (ctx: Ctx, id: string, until: number) =>
  createHmac('sha256', await secrets.sharedKey(ctx, 'move archives'))
    .update(`${id}\n${until}`)
    .digest('hex')

/**
 * The archive of a site's files for a move, a backup or a restore with this id, and its address for
 * machines elsewhere.
 */
export async function archiveOf(ctx: Ctx, id: string): Promise<ContentArchive> {
  const until = ctx.clock.now().getTime() + addressLifetime
  const { KUBERNETES_SERVICE_URL, PUBLIC_URL } = ctx.env
  const url = new URL(`/content-archives/${id}`, KUBERNETES_SERVICE_URL ?? PUBLIC_URL)
  url.search = String(
    new URLSearchParams({ until: String(until), signature: await sign(ctx, id, until) }),
  )
  return { file: fileOf(ctx, id), url: url.href }
}

type Query = { until?: unknown; signature?: unknown }

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for an address of `archiveOf` while its move, backup or restore needs this transfer. */
async function isValid(ctx: Ctx, id: string, query: Query, transfer: store.Transfer) {
  const until = Number(query.until)
  if (!idPattern.test(id) || !Number.isSafeInteger(until)) return false
  const expected = Buffer.from(await sign(ctx, id, until))
  const received = Buffer.from(String(query.signature))
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return false
  if (until <= ctx.clock.now().getTime()) return false
  return store.isExpected(ctx.db, id, transfer)
}

/**
 * The archive of a signed address; null when it is wrong or expired, or no site needs the archive.
 */
export async function open(
  ctx: Ctx,
  id: string,
  query: Query,
): Promise<{ size: number; content: Readable } | null> {
  if (!(await isValid(ctx, id, query, 'fetch'))) return null
  const stats = await stat(fileOf(ctx, id)).catch(() => null)
  return stats && { size: stats.size, content: createReadStream(fileOf(ctx, id)) }
}

/** Stores the body sent to a signed address, and resolves with its SHA-256; null as `open`. */
export async function receive(
  ctx: Ctx,
  id: string,
  query: Query,
  upload: Readable,
): Promise<{ digest: string } | null> {
  if (!(await isValid(ctx, id, query, 'store'))) return null
  const file = fileOf(ctx, id)
  await writeArchive(file, (archive) => pipeline(upload, archive))
  const digest = await digestOfArchive(file)
  return digest === null ? null : { digest }
}

/** Deletes an archive. Idempotent. */
export const remove = (ctx: Pick<Ctx, 'env'>, id: string): Promise<void> =>
  rm(fileOf(ctx, id), { force: true })
