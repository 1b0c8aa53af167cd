import { describe, expect, it } from 'vitest'
import { createAddressPublisher } from './address-publisher.ts'
import type { NetworkAddress } from './instance-table.ts'

const older = { host: '10.0.0.1', port: 8080 }
const newer = { host: '10.0.0.2', port: 8080 }

/** A table whose first write is slow. */
function startPublisher() {
  const writes: (NetworkAddress | null | 'removed')[] = []
  const slow = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  let calls = 0
  let address: NetworkAddress | null = older
  async function write(stored: NetworkAddress | null | 'removed') {
    calls += 1
    if (calls === 1) {
      started.resolve()
      await slow.promise
    }
    writes.push(stored)
  }
  const publisher = createAddressPublisher({
    table: { publish: (_, stored) => write(stored), remove: () => write('removed') },
    addressOf: () => address,
  })
  return {
    publisher,
    writes,
    started: started.promise,
    finishFirst: slow.resolve,
    setAddress(next: NetworkAddress | null) {
      address = next
    },
  }
}

describe('the addresses of instances', () => {
  it('end with the newest when an earlier write is slow', async () => {
    const { publisher, writes, started, finishFirst, setAddress } = startPublisher()
    const first = publisher.publish('shop')
    await started
    setAddress(newer)
    const second = publisher.publish('shop')
    finishFirst()
    await Promise.all([first, second])
    expect(writes).toEqual([older, newer])
  })

  it('are removed only after a write that is slow', async () => {
    const { publisher, writes, started, finishFirst } = startPublisher()
    const first = publisher.publish('shop')
    await started
    const removal = publisher.remove('shop')
    finishFirst()
    await Promise.all([first, removal])
    expect(writes).toEqual([older, 'removed'])
  })
})
