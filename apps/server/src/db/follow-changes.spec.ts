import { describe, expect, it } from 'vitest'
import { createLogBook } from '../testing/log-book.ts'
import { followChanges } from './follow-changes.ts'

/** Rows whose reads are recorded. `notify` reports a changed row; `block` makes reads wait. */
async function followRows() {
  const reads: string[] = []
  let listener = (_payload: string) => {}
  let reading = Promise.resolve()
  const read = (name: string) => async () => {
    reads.push(name)
    await reading
  }
  await followChanges(
    { log: createLogBook().log, stopping: new AbortController().signal },
    {
      on: (_channel, listen) => {
        listener = listen
      },
      onGap: () => undefined,
      connected: true,
      close: async () => undefined,
    },
    {
      name: 'the rows',
      channel: 'rows',
      readAll: read('all'),
      readAfter: (payload) => (payload === 'other' ? undefined : read(payload)),
    },
  )
  const block = () => {
    const end = Promise.withResolvers<void>()
    reading = end.promise
    return end.resolve
  }
  return { reads, notify: (payload: string) => listener(payload), block }
}

/** Lets started reads run until they wait. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('followChanges', () => {
  it('reads all rows first, and then those that change', async () => {
    const { reads, notify } = await followRows()
    for (const payload of ['a', 'other', 'b']) notify(payload)
    await settle()
    expect(reads).toEqual(['all', 'a', 'b'])
  })

  it('reads a row once for all notifications that wait, and again for later ones', async () => {
    const { reads, notify, block } = await followRows()
    const release = block()
    notify('a')
    await settle()
    for (const payload of ['a', 'b', 'a', 'b', 'b']) notify(payload)
    release()
    await settle()
    expect(reads).toEqual(['all', 'a', 'a', 'b'])
    notify('b')
    await settle()
    expect(reads).toEqual(['all', 'a', 'a', 'b', 'b'])
  })
})
