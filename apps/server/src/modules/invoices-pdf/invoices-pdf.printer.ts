import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { minute } from '@slipway/contract/limits'
import { problem } from '../../problem.ts'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'

/** What the thread answers: the bytes of the PDF, or why there are none. */
export type Printed = { bytes: Uint8Array<ArrayBuffer> } | { failure: string }

/** How long the thread stays after its last PDF: whoever downloads one often downloads the next, too. */
const idle = minute

let thread: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined
let queue: Promise<unknown> = Promise.resolve()

/** PDFs that may wait or be printed: what comes after them would wait for longer than anybody does. */
const longestQueue = 50
let waiting = 0

function start() {
  const started = new Worker(new URL('invoices-pdf.worker.ts', import.meta.url))
  // A process that has nothing else to do ends.
  started.unref()
  // Who waits for it hears of it below; of one that fails while nobody does, nothing is lost.
  started.on('error', () => undefined)
  started.once('exit', () => {
    if (thread === started) thread = undefined
  })
  return started
}

function endWhenIdle() {
  idleTimer = setTimeout(() => {
    void thread?.terminate()
    thread = undefined
  }, idle).unref()
}

async function printNext(printed: PrintedInvoice) {
  clearTimeout(idleTimer)
  thread ??= start()
  try {
    thread.postMessage(printed)
    // Rejects with the error that ends the thread, too.
    const [answer]: Printed[] = await once(thread, 'message', {
      signal: AbortSignal.timeout(minute),
    })
    if (!answer || 'failure' in answer) throw new Error(`no PDF: ${answer?.failure}`)
    return answer.bytes
  } catch (error) {
    // Whatever state it is in, the next one gets a new thread.
    void thread?.terminate()
    thread = undefined
    throw error
  } finally {
    endWhenIdle()
  }
}

/**
 * The bytes of an invoice's PDF. They are made in a thread of their own, one invoice after the other: laying
 * out 500 items takes a third of a second, in which the server would answer nobody. Throws `unavailable`
 * when too many wait, and for a caller who `isGone` when it is their turn: nothing is printed for nobody.
 */
export async function print(
  printed: PrintedInvoice,
  isGone: () => boolean = () => false,
): Promise<Uint8Array<ArrayBuffer>> {
  if (waiting >= longestQueue) throw problem('unavailable')
  waiting++
  const done = queue
    .then(() => {
      if (isGone()) throw problem('unavailable')
      return printNext(printed)
    })
    .finally(() => {
      waiting--
    })
  queue = done.catch(() => undefined)
  return done
}
