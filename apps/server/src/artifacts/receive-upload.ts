import type { Readable } from 'node:stream'
import type { UserContext } from '../context.ts'
import { problem } from '../problem.ts'
import { ArchiveError, DiskFullError } from './archive-error.ts'
import type { ReceivedArchive } from './receive.ts'

/**
 * Stores the upload of a request. Throws `request_too_large` with the limit in bytes as context,
 * `malformed_request` for an empty or broken upload, `unavailable` while the disk is nearly full,
 * and `unauthorized` when the caller's session or token ended meanwhile.
 */
export async function receiveUpload(
  ctx: Pick<UserContext, 'artifacts' | 'log' | 'authorizeAgain'>,
  upload: Readable,
): Promise<ReceivedArchive> {
  const received = await receive(ctx, upload)
  try {
    await ctx.authorizeAgain()
  } catch (error) {
    await received.endReservation()
    throw error
  }
  return received
}

async function receive(ctx: Pick<UserContext, 'artifacts' | 'log'>, upload: Readable) {
  try {
    return await ctx.artifacts.receive(upload)
  } catch (error) {
    if (error instanceof DiskFullError) {
      ctx.log.error({ err: error }, 'an upload was rejected')
      throw problem('unavailable')
    }
    // The client canceled the upload, or its connection broke.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') throw problem('malformed_request')
    if (!(error instanceof ArchiveError)) throw error
    if (error.problem !== 'too_large') throw problem('malformed_request')
    throw problem('request_too_large', String(error.max))
  }
}
