import { once } from 'node:events'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { minute } from '@slipway/contract/limits'
import { problem } from '../../problem.ts'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'

export type Printed = { bytes: Uint8Array<ArrayBuffer> } | { failure: string }

/** The thread ends after this time without a PDF: users often download several. */
const idleTimeout = minute

let thread: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined
let queue: Promise<unknown> = Promise.resolve()

/** The limit of queued and running PDFs: a longer queue would exceed the clients' timeouts. */
const maxPending = 50
let pending = 0

// Beside this file, in the sources and in the build.
const worker = join(import.meta.dirname, `invoices-pdf.worker${extname(import.meta.filename)}`)

function start() {
  const started = new Worker(worker)
  started.unref()
  // Handled where a PDF is awaited; an idle thread's failure loses nothing.
  started.on('error', () => undefined)
  started.once('exit', () => {
    if (thread === started) thread = undefined
  })
  return started
}

function terminateWhenIdle() {
  idleTimer = setTimeout(() => {
    void thread?.terminate()
    thread = undefined
  }, idleTimeout).unref()
}

async function printNext(printed: PrintedInvoice) {
  clearTimeout(idleTimer)
  thread ??= start()
  try {
    thread.postMessage(printed)
    // Also rejects with an error that ends the thread.
    const [response]: Printed[] = await once(thread, 'message', {
      signal: AbortSignal.timeout(minute),
    })
    if (!response || 'failure' in response) throw new Error(`no PDF: ${response?.failure}`)
    return response.bytes
  } catch (error) {
    // The thread's state is unknown: the next PDF gets a new one.
    void thread?.terminate()
    thread = undefined
    throw error
  } finally {
    terminateWhenIdle()
  }
}

/**
 * The bytes of an invoice's PDF, made one at a time in a worker thread: the layout of 500 items
 * takes a third of a second, which would block the server. Throws `unavailable` when the queue is
 * full, and when `isGone` says that the client has disconnected.
 */
export async function print(
  printed: PrintedInvoice,
  isGone: () => boolean = () => false,
): Promise<Uint8Array<ArrayBuffer>> {
  if (pending >= maxPending) throw problem('unavailable')
  pending++
  const done = queue
    .then(() => {
      if (isGone()) throw problem('unavailable')
      return printNext(printed)
    })
    .finally(() => {
      pending--
    })
  queue = done.catch(() => undefined)
  return done
}
