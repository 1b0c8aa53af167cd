import { describe, expect, it } from 'vitest'
import { createOrderedEvents } from './ordered-events.ts'

/** Events whose recipients are found when `find` is called for them. */
function createEvents() {
  const delivered: string[] = []
  const queries: { payload: string; find: () => void }[] = []
  const publish = createOrderedEvents({
    findRecipients: async (payload: string) => {
      const read = Promise.withResolvers<void>()
      queries.push({ payload, find: read.resolve })
      await read.promise
      return payload
    },
    deliver: (payload) => delivered.push(payload),
  })
  return { publish, queries, delivered, payloads: () => queries.map(({ payload }) => payload) }
}

/** Lets started tasks run until they wait. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('createOrderedEvents', () => {
  it('delivers events in the order of the calls, whichever recipients are found first', async () => {
    const { publish, queries, delivered } = createEvents()
    const all = Promise.all(['a', 'b', 'c'].map(publish))
    await settle()
    for (const { find } of queries.toReversed()) find()
    await all
    expect(delivered).toEqual(['a', 'b', 'c'])
  })

  it('reads the recipients of equal waiting events once', async () => {
    const { publish, queries, delivered, payloads } = createEvents()
    const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'e', 'f', 'e'].map(publish))
    for (let count = 0; count < 6; count++) {
      await settle()
      queries[count]?.find()
    }
    await all
    expect(payloads()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(delivered).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('delivers an event that arrives while the recipients of an equal one are read', async () => {
    const { publish, queries, delivered } = createEvents()
    const first = publish('a')
    await settle()
    const second = publish('a')
    await settle()
    for (const { find } of queries) find()
    await Promise.all([first, second])
    expect(delivered).toEqual(['a', 'a'])
  })
})
