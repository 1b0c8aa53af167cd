import { describe, expect, it } from 'vitest'
import { createLineReader } from './log-lines.ts'

const firstTime = '2026-11-23T07:00:00.000000001Z'
const secondTime = '2026-11-23T07:00:01.500000000Z'

describe('the lines of a container', () => {
  it('have their times, wherever a chunk ends', () => {
    const read = createLineReader()
    const text = `${firstTime} first\n${secondTime} second with a  blank\n`
    const lines = [...text].flatMap((character) => read(character))
    expect(lines).toEqual([
      { timestamp: firstTime, time: Date.parse('2026-11-23T07:00:00.000Z'), text: 'first' },
      { timestamp: secondTime, time: Date.parse(secondTime), text: 'second with a  blank' },
    ])
  })

  it.each([
    ['2026-11-23T02:00:00.000000001-05:00', firstTime],
    ['2026-11-23T10:00:00.000000001+03:00', firstTime],
    ['2026-11-23T12:45:01.5+05:45', secondTime],
    ['2026-11-23T07:00:01Z', '2026-11-23T07:00:01.000000000Z'],
  ])('printed at %s have their times in UTC with nanoseconds', (printed, timestamp) => {
    const [line] = createLineReader()(`${printed} text\n`)
    expect(line).toEqual({ timestamp, time: Date.parse(printed), text: 'text' })
  })

  it('wait for their end up to a limit', () => {
    const read = createLineReader()
    expect(read(`${firstTime} ${'a'.repeat(1_000)}`)).toEqual([])
    expect(read('a'.repeat(64 * 1024))).toHaveLength(1)
    expect(read('b\n')).toEqual([{ timestamp: firstTime, time: expect.any(Number), text: 'b' }])
  })

  it('without a time are dropped before the first timed one, and empty ones are kept', () => {
    const read = createLineReader()
    expect(read('unable to retrieve container logs\n')).toEqual([])
    expect(read(`${firstTime} \n`)).toMatchObject([{ text: '' }])
  })
})
