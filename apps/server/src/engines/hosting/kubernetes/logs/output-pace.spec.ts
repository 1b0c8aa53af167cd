import { describe, expect, it } from 'vitest'
import { maxLinesAtOnce } from '../../../../logs/log-record.ts'
import { createOutputPace } from './output-pace.ts'

/** As many lines as a pod may print in half a second. */
const full = 'a\n'.repeat(maxLinesAtOnce)

/** The pace while no time passes, with the waits that it requests. */
function createPace() {
  const waits: number[] = []
  const time = { now: () => 0, wait: async (ms: number) => void waits.push(ms) }
  return { ofPod: createOutputPace(time), waits }
}

describe('the pace of the output of pods', () => {
  it('is one number of lines in half a second for a pod', async () => {
    const { ofPod, waits } = createPace()
    const turn = ofPod()
    for (let count = 0; count < 3; count++) await turn(full)
    expect(waits.filter((ms) => ms >= 500)).toEqual([500, 1_000])
  })

  it('is one number of characters in half a second for a pod', async () => {
    const { ofPod, waits } = createPace()
    const turn = ofPod()
    for (let count = 0; count < 3; count++) await turn('x'.repeat(256 * 1024))
    expect(waits.filter((ms) => ms >= 500)).toEqual([500, 1_000])
  })

  it('is that of five endless pods for all together, in turn', async () => {
    const { ofPod, waits } = createPace()
    for (let pods = 0; pods < 1_000; pods++) await ofPod()(full)
    expect(waits).toHaveLength(999)
    expect(waits[0]).toBe(100)
    expect(waits.at(-1)).toBe(99_900)
  })

  it('does not delay a pod that prints little', async () => {
    const { ofPod, waits } = createPace()
    await ofPod()('a\n')
    await ofPod()('a\n')
    expect(waits).toEqual([])
  })
})
