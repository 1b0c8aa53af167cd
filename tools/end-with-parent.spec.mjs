import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'

const watch = new URL('end-with-parent.mjs', import.meta.url).href

// A server that takes its time to end well.
const server = `
  process.on('SIGTERM', () => { process.stdout.write('ended well\\n'); process.exit() })
  setInterval(() => {}, 1000)
  process.stdout.write('runs\\n')`

/** @type {import('node:child_process').ChildProcess[]} */
const children = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/**
 * A parent that runs the server, whose output is the server's.
 * @param {string} stdio
 */
function parent(stdio) {
  const args = JSON.stringify(['--import', watch, '-e', server])
  const program = `
    const { spawn } = require('node:child_process')
    spawn(process.execPath, ${args}, { stdio: ${stdio} })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

describe('end-with-parent', () => {
  it.each([
    { connected: 'a channel', stdio: "['ignore', 'inherit', 'inherit', 'ipc']" },
    { connected: 'nothing', stdio: "['ignore', 'inherit', 'inherit']" },
  ])(
    'ends a program well when its parent is killed that it shares $connected with',
    async ({ stdio }) => {
      const { child, lines } = parent(stdio)
      expect(await lines.next()).toMatchObject({ value: 'runs' })
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(await lines.next()).toMatchObject({ value: 'ended well' })
    },
  )
})
