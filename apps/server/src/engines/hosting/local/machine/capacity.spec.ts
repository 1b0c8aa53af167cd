import { describe, expect, it } from 'vitest'
import { createLogBook } from '../../../../testing/log-book.ts'
import { CapacityError } from '../../engine.ts'
import { createCapacity } from './capacity.ts'

const mebibyte = 2 ** 20

describe('the capacity of a machine', () => {
  it('has capacity for a site while memory is free, counting those that are starting', () => {
    const { log, lines } = createLogBook()
    let free = 300 * mebibyte
    const capacity = createCapacity(100, log, () => free)
    capacity.admit('one')
    // The first site has not used its memory yet, but will.
    capacity.admit('two')
    expect(() => capacity.admit('three')).toThrow(CapacityError)
    expect(lines.map(({ message }) => message)).toEqual(['There is no capacity for another site'])
    capacity.started('one')
    capacity.admit('three')
    free = 100 * mebibyte
    for (const key of ['two', 'three']) capacity.started(key)
    expect(() => capacity.admit('four')).toThrow('only 100 MiB of memory are free')
    // A site that runs already needs no more memory.
    capacity.admit('one')
  })

  it('admits as many sites as its limit allows', () => {
    const capacity = createCapacity(1, createLogBook().log, () => 2 ** 40)
    capacity.admit('one')
    expect(() => capacity.admit('two')).toThrow('all 1 places for sites are taken')
    capacity.remove('one')
    capacity.admit('two')
  })
})
