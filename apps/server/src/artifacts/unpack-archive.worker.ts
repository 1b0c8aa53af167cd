import { parentPort, workerData } from 'node:worker_threads'
import { ArchiveError } from './archive-error.ts'
import type { Unpacked } from './unpack-archive.thread.ts'
import { unpackArchive } from './unpack-archive.ts'

const respond = (result: Unpacked) => parentPort?.postMessage(result)

try {
  await unpackArchive(workerData)
  respond({ state: 'done' })
} catch (error) {
  // Any other error ends the thread, and with it the job, which tries again.
  if (!(error instanceof ArchiveError)) throw error
  const { problem, file, max } = error
  respond({ state: 'rejected', problem, file, max })
}
