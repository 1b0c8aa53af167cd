import { describe, expect, it } from 'vitest'
import { compilePath, segmentsOf } from './path-pattern.ts'

describe('a pattern of paths', () => {
  it('reads no more segments of a long path than it has itself', () => {
    const reads = new Set<string | symbol>()
    const segments = new Proxy(segmentsOf(`/blog/${'a/'.repeat(1_000)}`), {
      get(target, name, receiver) {
        reads.add(name)
        return Reflect.get(target, name, receiver)
      },
    })
    expect(compilePath('/blog/*')?.matches(segments)).toBe(true)
    expect([...reads].sort()).toEqual(['0', '1', 'length'])
  })
})
