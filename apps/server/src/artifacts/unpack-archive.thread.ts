import { once } from 'node:events'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits as sharedLimits } from '@slipway/contract/limits'
import type { ArchiveProblem } from '@slipway/contract/releases'
import { ArchiveError } from './archive-error.ts'
import type { Unpacking } from './unpack-archive.ts'

/** The result of the thread. Errors lose their class on the way between threads. */
export type Unpacked =
  | { state: 'done' }
  | {
      state: 'rejected'
      problem: ArchiveProblem
      file?: string | undefined
      max?: number | undefined
    }

/** The heap of the thread in MiB: an archive of 50,000 files takes a fifth of it. */
const heapLimit = 512

// Beside this file, in the sources and in the build.
const worker = join(import.meta.dirname, `unpack-archive.worker${extname(import.meta.filename)}`)

/**
 * Unpacks an archive as `unpackArchive` does, in a thread: no archive, however it is made, blocks
 * the server or uses up its memory. Throws an `ArchiveError` if the archive is rejected, `damaged`
 * also if it exceeds the thread's memory, and another error after the deadline of a release.
 */
export async function unpackInThread(unpacking: Unpacking): Promise<void> {
  const thread = new Worker(worker, {
    workerData: unpacking,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit },
  })
  try {
    // Also rejects with an error that ends the thread.
    const [result]: Unpacked[] = await once(thread, 'message', {
      signal: AbortSignal.timeout(sharedLimits.releaseDeadline),
    })
    if (result?.state === 'rejected')
      throw new ArchiveError(result.problem, result.file, result.max)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new ArchiveError('damaged')
    throw error
  } finally {
    await thread.terminate()
  }
}
