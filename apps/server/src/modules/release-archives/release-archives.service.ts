import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { day } from '@slipway/contract/limits'
import { isDigest } from '../../artifacts/artifact-layout.ts'
import { packedDigest, packFolder } from '../../artifacts/pack.ts'
import type { Context } from '../../context.ts'
import type { ReleaseArchive } from '../../engines/hosting/engine.ts'
import * as secrets from '../secrets/secrets.service.ts'

type Ctx = Pick<Context, 'artifacts' | 'clock' | 'env' | 'sealing' | 'write'>

/** An archive of a release's files, beside them. */
const archiveFile = (ctx: Pick<Ctx, 'artifacts'>, artifact: string) =>
  ctx.artifacts.filesOf(artifact).build('archive.tar.gz')

const sign = (key: Buffer, artifact: string, until: number) =>
  createHmac('sha256', key).update(`${artifact}\n${until}`).digest('hex')

const keyOf = (ctx: Ctx) => secrets.sharedKey(ctx, 'release archives')

/**
 * The address of a release's files for machines that run it, with the SHA-256 of what they get. The
 * address is the same for a day, and valid for at least another one.
 */
export async function prepare(ctx: Ctx, artifact: string): Promise<ReleaseArchive> {
  const file = archiveFile(ctx, artifact)
  const digest =
    (await packedDigest(file)) ?? (await packFolder(ctx.artifacts.filesOf(artifact).files, file))
  const until = (Math.floor(ctx.clock.now().getTime() / day) + 2) * day
  const signature = sign(await keyOf(ctx), artifact, until)
  const url = new URL(
    `/release-archives/${artifact}`,
    ctx.env.KUBERNETES_SERVICE_URL ?? ctx.env.PUBLIC_URL,
  )
  url.search = String(new URLSearchParams({ until: String(until), signature }))
  return { url: url.href, digest, until }
}

/** The archive of a signed address; null when the signature is wrong, late or has no archive. */
export async function open(
  ctx: Ctx,
  artifact: string,
  query: { until?: unknown; signature?: unknown },
): Promise<{ size: number; content: Readable } | null> {
  const until = Number(query.until)
  if (!isDigest(artifact) || !Number.isSafeInteger(until)) return null
  const expected = Buffer.from(sign(await keyOf(ctx), artifact, until))
  const given = Buffer.from(String(query.signature))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  if (until <= ctx.clock.now().getTime()) return null
  const file = archiveFile(ctx, artifact)
  const found = await stat(file).catch(() => null)
  return found && { size: found.size, content: createReadStream(file) }
}
