import { hash } from 'node:crypto'

// HyperLogLog (Flajolet et al. 2007) with 2048 registers: an error of 1.04 / √2048 = 2.3 %.
const indexBits = 11
const registers = 2 ** indexBits
const alpha = 0.7213 / (1 + 1.079 / registers)

/** The low bits of an element are the rank, so it is at most 63. */
const rankBits = 6

/**
 * An element of a sketch: the register in its high bits, the rank in its low ones. A register
 * stores its greatest element, in JavaScript and in SQL (`traffic.store.ts`).
 */
export type VisitorElement = number

const registerOf = (element: VisitorElement) => element >> rankBits

/** The element of a visitor, from which neither the address nor the browser can be derived. */
export function elementOf(salt: string, key: string, address: string, agent: string) {
  const digest = hash('sha256', `${salt}\n${key}\n${address}\n${agent}`, 'buffer')
  const register = digest.readUInt16BE(0) >> (16 - indexBits)
  const high = digest.readUInt32BE(2)
  const rank = high === 0 ? 33 + Math.clz32(digest.readUInt32BE(6)) : 1 + Math.clz32(high)
  return (register << rankBits) | Math.min(rank, 2 ** rankBits - 1)
}

export function createVisitors() {
  const greatest = new Map<number, VisitorElement>()
  return {
    add(element: VisitorElement) {
      const register = registerOf(element)
      if (element > (greatest.get(register) ?? -1)) greatest.set(register, element)
    },
    elements: (): VisitorElement[] => [...greatest.values()],
    count(): number {
      const zeros = registers - greatest.size
      let sum = zeros
      for (const element of greatest.values()) sum += 2 ** -(element & (2 ** rankBits - 1))
      const estimate = (alpha * registers ** 2) / sum
      // Linear counting is more exact for small sets.
      return Math.round(
        estimate <= 2.5 * registers && zeros > 0
          ? registers * Math.log(registers / zeros)
          : estimate,
      )
    },
  }
}

export type Visitors = ReturnType<typeof createVisitors>
