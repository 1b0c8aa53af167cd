import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'

// Not the checkout's own: a set-up may be running on that.
const folder = `a folder of ${randomUUID()}`
const lock = new URL('exclusively.mjs', import.meta.url).href

/** @type {import('node:child_process').ChildProcess[]} */
const children = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that says "mine" when it has its turn, and ends it when its input does. */
function contender() {
  const program = `
    const { exclusively } = await import(${JSON.stringify(lock)})
    await exclusively(async () => {
      process.stdout.write('mine\\n')
      for await (const _ of process.stdin) { /* until its end */ }
      process.stdout.write('done\\n')
    }, ${JSON.stringify(folder)})
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { child, line: async () => (await lines.next()).value }
}

describe('exclusively', () => {
  it('lets a second process wait until the first is done', async () => {
    const first = contender()
    expect(await first.line()).toBe('mine')
    const second = contender()
    expect(await second.line()).toContain('Waiting')

    first.child.stdin?.end()
    expect(await first.line()).toBe('done')
    expect(await second.line()).toBe('mine')
  })

  it('gives the turn on when the process that had it was killed', async () => {
    const first = contender()
    expect(await first.line()).toBe('mine')
    const second = contender()
    expect(await second.line()).toContain('Waiting')

    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    expect(await second.line()).toBe('mine')
  })

  it('is free again after work that failed', async () => {
    const { exclusively } = await import('./exclusively.mjs')
    const failing = exclusively(() => Promise.reject(new Error('no disk')), folder)
    await expect(failing).rejects.toThrow('no disk')
    expect(await exclusively(async () => 'done', folder)).toBe('done')
  })
})
