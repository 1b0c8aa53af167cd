import { describe, expect, it } from 'vitest'
import { createLineReader } from './log-lines.ts'

const one = '2026-11-23T07:00:00.000000001Z'
const two = '2026-11-23T07:00:01.5Z'

describe('the lines of a container', () => {
  it('have their times, however they are cut on the way', () => {
    const read = createLineReader()
    const text = `${one} first\n${two} second with a  blank\n`
    const lines = [...text].flatMap((character) => read(character))
    expect(lines).toEqual([
      { timestamp: one, time: Date.parse('2026-11-23T07:00:00.000Z'), text: 'first' },
      { timestamp: two, time: Date.parse(two), text: 'second with a  blank' },
    ])
  })

  it('wait for their end, but not without a limit', () => {
    const read = createLineReader()
    expect(read(`${one} ${'a'.repeat(1_000)}`)).toEqual([])
    expect(read('a'.repeat(64 * 1024))).toHaveLength(1)
    expect(read('b\n')).toEqual([{ timestamp: one, time: expect.any(Number), text: 'b' }])
  })

  it('keep empty lines, and drop what has no time', () => {
    const read = createLineReader()
    expect(read('unable to retrieve container logs\n')).toEqual([])
    expect(read(`${one} \n`)).toMatchObject([{ text: '' }])
  })
})
