import { Readable } from 'node:stream'
import { minute } from '@slipway/contract/limits'
import { tooOften } from '../../problem.ts'
import { createUserSlots } from '../../user-slots.ts'

/** Downloads at once, of one user and of all: each decrypts and compresses in this process. */
const maxOfUser = 2
const maxOfAll = 8

/** A reader of less than 256 KB in a minute would occupy its slot for days. */
const slowAfter = minute
const leastBytes = 256 * 1024

/** The slots of the downloads of one process. */
export function createSlots() {
  const slots = createUserSlots({ perUser: maxOfUser, total: maxOfAll })

  /** Returns the function that releases the slot. Throws `too_many_requests` without a free one. */
  return function acquire(userId: string): () => void {
    const slot = slots.take(userId)
    if (typeof slot === 'string') throw tooOften('too_many_requests', 10)
    return slot
  }
}

/** The same bytes as a stream that fails when they are read too slowly. Closes `content`. */
export function endWhenSlow(content: Readable): Readable {
  async function* chunks() {
    let timer: NodeJS.Timeout | undefined
    let bytes = 0
    try {
      for await (const chunk of content) {
        timer ??= setTimeout(
          () => stream.destroy(new Error('the download was read too slowly')),
          slowAfter,
        )
        yield chunk
        bytes += chunk.length
        if (bytes < leastBytes) continue
        clearTimeout(timer)
        timer = undefined
        bytes = 0
      }
    } finally {
      clearTimeout(timer)
    }
  }
  const stream: Readable = Readable.from(chunks(), { objectMode: false })
  stream.once('close', () => content.destroy())
  return stream
}
