import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { isDigest } from '../../artifacts/artifact-layout.ts'
import { packedDigest, packFolder } from '../../artifacts/pack.ts'
import type { Context } from '../../context.ts'
import type { ReleaseArchive } from '../../engines/hosting/engine.ts'
import { isSigned, signedAddress } from './release-archives.addresses.ts'

type Ctx = Pick<Context, 'artifacts' | 'clock' | 'env' | 'sealing' | 'write'>

/** True if absent, which means the uploaded files, and for the name of installed packages. */
const isPart = (part: unknown) =>
  part === undefined || (typeof part === 'string' && /^packages(?:-[0-9a-f]{16})?$/.test(part))

/** The path of an archive: of the files of a release, or of a part such as its packages. */
export const archiveFile = (
  { artifacts }: Pick<Ctx, 'artifacts'>,
  artifact: string,
  part = 'archive',
): string => artifacts.filesOf(artifact).build(`${part}.tar.gz`)

/** The signed address of an archive, whose SHA-256 is `digest`. */
export async function archiveAddress(
  ctx: Ctx,
  artifact: string,
  part: string | undefined,
  digest: string,
): Promise<ReleaseArchive> {
  const address = await signedAddress(ctx, `/release-archives/${artifact}`, { artifact, part })
  return { ...address, digest }
}

/**
 * The address of a release's files for machines that run it, with the SHA-256 of the archive. Calls
 * of the same day return the same address. It is valid for at least another day.
 */
export async function prepare(ctx: Ctx, artifact: string): Promise<ReleaseArchive> {
  const file = archiveFile(ctx, artifact)
  const digest =
    (await packedDigest(file)) ?? (await packFolder(ctx.artifacts.filesOf(artifact).files, file))
  return archiveAddress(ctx, artifact, undefined, digest)
}

/** Null when the signature is wrong or expired, or the archive does not exist. */
export async function open(
  ctx: Ctx,
  artifact: string,
  query: { part?: unknown; until?: unknown; signature?: unknown },
): Promise<{ size: number; content: Readable } | null> {
  if (!isDigest(artifact) || !isPart(query.part)) return null
  const part = query.part as string | undefined
  if (!(await isSigned(ctx, { artifact, part }, query))) return null
  const file = archiveFile(ctx, artifact, part)
  const stats = await stat(file).catch(() => null)
  return stats && { size: stats.size, content: createReadStream(file) }
}
