import { randomUUID } from 'node:crypto'
import type { Id } from '@slipway/contract/id'

const counterLimit = 0x1000

let lastTime = 0
let counter = 0

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')

/**
 * A new UUIDv7 (RFC 9562 §5.7). The ids of one process sort by creation: a counter orders the ids
 * of one millisecond (§6.2, method 1), which Node's own function does not.
 */
export function newId<Kind extends string>() {
  const now = Date.now()
  if (now > lastTime) {
    lastTime = now
    counter = 0
  } else if (++counter === counterLimit) {
    lastTime++
    counter = 0
  }
  const time = hex(lastTime, 12)
  const variantAndRandom = randomUUID().slice(19)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${variantAndRandom}` as Id<Kind>
}
