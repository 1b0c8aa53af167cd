import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'

const watch = new URL('end-with-parent.mjs', import.meta.url).href

// A server that exits cleanly on SIGHUP.
const server = `
  process.on('SIGHUP', () => { process.stdout.write('exited cleanly\\n'); process.exit() })
  setInterval(() => {}, 1000)
  process.stdout.write('running\\n')`

/** @type {import('node:child_process').ChildProcess[]} */
const children = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/**
 * Starts a parent that runs the server and shares its output.
 * @param {string} stdio
 */
function startParent(stdio) {
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
    { connection: 'a channel', stdio: "['ignore', 'inherit', 'inherit', 'ipc']" },
    { connection: 'nothing', stdio: "['ignore', 'inherit', 'inherit']" },
  ])(
    'ends a program cleanly when its parent is killed, connected by $connection',
    async ({ stdio }) => {
      const { child, lines } = startParent(stdio)
      expect(await lines.next()).toMatchObject({ value: 'running' })
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(await lines.next()).toMatchObject({ value: 'exited cleanly' })
    },
  )
})
