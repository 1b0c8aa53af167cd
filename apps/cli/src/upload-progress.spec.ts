import { describe, expect, it } from 'vitest'
import { createProgress } from './upload-progress.ts'

function progressOf(total: number, isTTY: boolean, locale: 'en' | 'tr' = 'en') {
  let written = ''
  const write = (text: string) => {
    written += text
  }
  return { progress: createProgress({ isTTY, write }, total, locale), written: () => written }
}

describe('the progress of an upload', () => {
  it('updates one line in a terminal, and ends it with a line break', () => {
    const { progress, written } = progressOf(200, true)
    for (const bytes of [1, 2, 3, 4, 100]) progress.show(bytes)
    progress.end()
    progress.end()
    expect(written()).toBe('\r1%\r2%\r50%\n')
  })

  it('starts again when the upload is retried', () => {
    const { progress, written } = progressOf(100, true)
    progress.show(80)
    progress.end()
    progress.show(10)
    expect(written()).toBe('\r80%\n\r10%')
  })

  it('without a terminal, prints a line for each quarter of a large upload', () => {
    const total = 20_000_000
    const { progress, written } = progressOf(total, false, 'tr')
    for (let bytes = 0; bytes <= total; bytes += 1_000_000) progress.show(bytes)
    progress.end()
    expect(written()).toBe('%25\n%50\n%75\n%100\n')
  })

  it('without a terminal, prints nothing for a small upload', () => {
    const { progress, written } = progressOf(1_000, false)
    progress.show(1_000)
    expect(written()).toBe('')
  })
})
