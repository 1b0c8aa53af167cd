import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'

export type FolderSize = { bytes: number; entries: number }

/** The messages to and from the thread. */
export type Measurement = { id: number; folder: string; maxEntries: number }
export type Measured = { id: number } & ({ size: FolderSize } | { failure: string })

// Beside this file, in the sources and in the build.
const worker = join(import.meta.dirname, `folder-size.worker${extname(import.meta.filename)}`)

let thread: Worker | undefined
let lastId = 0
const pending = new Map<number, PromiseWithResolvers<FolderSize>>()

function start(): Worker {
  const started = new Worker(worker)
  started.on('message', (measured: Measured) => {
    const measurement = pending.get(measured.id)
    pending.delete(measured.id)
    // A process may end while its thread has nothing to do.
    if (pending.size === 0) started.unref()
    if ('size' in measured) measurement?.resolve(measured.size)
    else measurement?.reject(new Error(measured.failure))
  })
  const fail = (reason: unknown) => {
    if (thread !== started) return
    thread = undefined
    for (const { reject } of pending.values())
      reject(new Error('The measurement of a folder ended early', { cause: reason }))
    pending.clear()
  }
  started.once('error', fail)
  started.once('exit', fail)
  return started
}

/**
 * The disk space of a folder, without following links. Stops at this many entries. Files that
 * cannot be counted count as more entries than any limit. Runs in a thread, because sites may have
 * hundreds of thousands of files.
 */
export function measureFolder(folder: string, maxEntries: number): Promise<FolderSize> {
  thread ??= start()
  lastId += 1
  const measurement = Promise.withResolvers<FolderSize>()
  pending.set(lastId, measurement)
  thread.ref()
  thread.postMessage({ id: lastId, folder, maxEntries } satisfies Measurement)
  return measurement.promise
}
