import { type ChildProcess, fork } from 'node:child_process'
import { extname, join } from 'node:path'
import type { ArchiveProblem } from '@slipway/contract/releases'
import { serviceLimits } from '@slipway/contract/service-limits'
import { startError } from '../start-error.ts'
import { ArchiveError, DiskFullError } from './archive-error.ts'
import type { Unpacking } from './unpack-archive.ts'

/** The result of the process. Errors lose their class on the way between processes. */
export type Unpacked =
  | { state: 'done' }
  | { state: 'failed'; reason: string }
  | { state: 'disk_full' }
  | {
      state: 'rejected'
      problem: ArchiveProblem
      file?: string | undefined
      max?: number | undefined
    }

/** The heap of the process in MiB. An archive of 50,000 files with long names fits in 64. */
const heapLimit = 512

// Beside this file, in the sources and in the build.
const script = join(import.meta.dirname, `unpack-archive.process${extname(import.meta.filename)}`)

/** The result; null when the process has ended without one. */
const resultOf = (child: ChildProcess) =>
  new Promise<Unpacked | null>((resolve, reject) => {
    child.once('message', (result) => resolve(result as Unpacked))
    child.once('error', reject)
    // After the messages that the process has sent.
    child.once('disconnect', () => resolve(null))
  })

/**
 * Unpacks an archive as `unpackArchive` does, in a process: no archive, however it is made, blocks
 * the server or uses up its memory. A thread that uses up its heap may end the whole process.
 * Throws an `ArchiveError` if the archive is rejected, `damaged` also if the process ends without a
 * result, a `DiskFullError` when the disk is full, and another error when the disk fails or the
 * deadline of a release has passed.
 */
export async function unpackInProcess(unpacking: Unpacking, heapMiB = heapLimit): Promise<void> {
  const child = fork(script, {
    execArgv: [`--max-old-space-size=${heapMiB}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal: AbortSignal.timeout(serviceLimits.releaseDeadline),
    killSignal: 'SIGKILL',
  })
  if (child.pid === undefined) throw await startError(child)
  child.send(unpacking)
  const result = await resultOf(child).finally(() => child.kill('SIGKILL'))
  if (result?.state === 'disk_full') throw new DiskFullError()
  if (result?.state === 'failed') throw new Error(`The archive was not unpacked: ${result.reason}`)
  if (result?.state === 'rejected') throw new ArchiveError(result.problem, result.file, result.max)
  if (!result) throw new ArchiveError('damaged')
}
