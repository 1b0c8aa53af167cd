import { describe, expect, it } from 'vitest'
import { closePart } from './shutdown.ts'
import { createLogBook } from './testing/log-book.ts'

describe('closePart', () => {
  it('continues after the deadline of a part that hangs, and names it', async () => {
    const { log, lines } = createLogBook()
    await closePart({ name: 'jobs', deadline: 1, close: () => new Promise(() => {}) }, log)
    expect(lines).toMatchObject([{ part: 'jobs', deadline: 1 }])
  })

  it('continues after a part that fails, and logs its error', async () => {
    const { log, lines } = createLogBook()
    const failing = () => {
      throw new Error('broken')
    }
    await closePart({ name: 'jobs', deadline: 60_000, close: failing }, log)
    expect(lines).toMatchObject([{ part: 'jobs', err: { message: 'broken' } }])
  })
})
