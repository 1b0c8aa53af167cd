import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDigest } from '../../artifacts/artifact-layout.ts'
import { packedDigest, recordPackedDigest } from '../../artifacts/pack.ts'
import type { Context } from '../../context.ts'
import type { PackageArchives } from '../../engines/hosting/engine.ts'
import { isSigned, signedAddress } from './release-archives.addresses.ts'
import { archiveAddress, archiveFile } from './release-archives.service.ts'

type Ctx = Pick<Context, 'artifacts' | 'clock' | 'env' | 'locks' | 'sealing' | 'write'>

/** The largest archive of packages, in bytes: the limit of an app with its unpacked packages. */
const maxArchiveBytes = 1_000_000_000

/** Packages without native code fit every image. */
const commonPart = 'packages'

/** Packages with native code fit only the image that installed them. */
const partOfImage = (image: string) =>
  `${commonPart}-${createHash('sha256').update(image).digest('hex').slice(0, 16)}`

/** One upload at a time stores the packages of a release, in all processes. */
const locked = <Result>({ locks }: Ctx, artifact: string, work: () => Promise<Result>) =>
  locks.exclusively(`packages ${artifact}`, work)

/** Packages that pods have installed for releases, for the pods that run them. */
export const createPackageArchives = (context: () => Ctx): PackageArchives => ({
  async find(artifact, image) {
    const ctx = context()
    for (const part of [commonPart, partOfImage(image)]) {
      const digest = await packedDigest(archiveFile(ctx, artifact, part))
      if (digest !== null) return archiveAddress(ctx, artifact, part, digest)
    }
    return null
  },

  async reuse(artifact, earlier, image) {
    const ctx = context()
    const reused = await locked(ctx, artifact, async () => {
      for (const part of [commonPart, partOfImage(image)]) {
        const [from, to] = [archiveFile(ctx, earlier, part), archiveFile(ctx, artifact, part)]
        const digest = await packedDigest(from)
        if (digest === null || !(await linkFile(from, to))) continue
        await recordPackedDigest(to, digest)
        return true
      }
      return false
    })
    return reused ?? false
  },

  async uploadAddress(artifact, image) {
    const permission = { artifact, part: `upload ${partOfImage(image)}` }
    const path = `/release-archives/${artifact}/packages`
    return (await signedAddress(context(), path, permission)).url
  },
})

/** Links a file under another name. False if it was deleted meanwhile. */
async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    // A killed process may have left one without its digest.
    if ((await packedDigest(to)) === null) await rm(to, { force: true })
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}

/** The outcome of an upload. The pod reports any other than `stored`. */
export type UploadResult = 'stored' | 'not_signed' | 'exists' | 'too_large' | 'busy'

/**
 * Stores the packages of a release that a pod has installed. The address works once: stored
 * packages never change, since other sites with the same files get them.
 */
export async function receivePackages(
  ctx: Ctx,
  artifact: string,
  query: { part?: unknown; native?: unknown; until?: unknown; signature?: unknown },
  upload: Readable,
): Promise<UploadResult> {
  // An upload that breaks before it is read ends its request, not the process.
  upload.on('error', () => undefined)
  const { part: permitted } = query
  if (!isDigest(artifact) || typeof permitted !== 'string') return 'not_signed'
  const imagePart = /^upload (packages-[0-9a-f]{16})$/.exec(permitted)?.[1]
  if (imagePart === undefined) return 'not_signed'
  if (!(await isSigned(ctx, { artifact, part: permitted }, query))) return 'not_signed'
  // One upload at a time: the program of a customer has the address, and may use it repeatedly.
  const result = await locked(ctx, artifact, async () => {
    const parts = [commonPart, imagePart].map((part) => archiveFile(ctx, artifact, part))
    const digests = await Promise.all(parts.map((file) => packedDigest(file)))
    if (digests.some((digest) => digest !== null)) return 'exists'
    const part = query.native === '0' ? commonPart : imagePart
    return storeArchive(upload, archiveFile(ctx, artifact, part))
  })
  return result ?? 'busy'
}

/** A broken upload leaves nothing behind. */
async function storeArchive(upload: Readable, target: string): Promise<UploadResult> {
  const temporary = `${target}.${randomUUID()}.unfinished`
  const hash = createHash('sha256')
  let bytes = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(bytes > maxArchiveBytes ? new RangeError('the archive is too large') : null, chunk)
    },
  })
  try {
    const chunks = upload.iterator({ destroyOnReturn: false })
    await pipeline(chunks, measured, createWriteStream(temporary, { flags: 'wx', flush: true }))
    await rename(temporary, target)
    await recordPackedDigest(target, hash.digest('hex'))
    return 'stored'
  } catch (error) {
    if (error instanceof RangeError) return 'too_large'
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}
