import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, say } from './command.mjs'

/**
 * Does `work` while no other process does any on the same folder, which is this
 * checkout unless said otherwise; waits for its turn.
 *
 * The lock is a listening socket, because it ends with its process however that dies, and whoever
 * waits is told by its connection's end.
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {string} [folder]
 * @returns {Promise<Result>}
 */
export async function exclusively(work, folder = root) {
  const address = addressOf(folder)
  for (;;) {
    const lock = await take(address)
    if (lock) {
      try {
        return await work()
      } finally {
        lock.release()
      }
    }
    if (!waited) say('Waiting for a set-up that is running already ...')
    waited = true
    await holderEnds(address)
  }
}

let waited = false

/** @param {string} folder */
function addressOf(folder) {
  const key = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const name = `slipway-setup-${key}`
  if (process.platform === 'linux') return `\0${name}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  return join(tmpdir(), name)
}

/**
 * @param {string} address
 * @returns {Promise<{ release(): void } | undefined>}
 */
function take(address) {
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => socket.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen(address, () => {
      resolve({
        release() {
          server.close()
          for (const socket of waiting) socket.destroy()
        },
      })
    })
  })
}

/**
 * @param {string} address
 * @returns {Promise<void>}
 */
function holderEnds(address) {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.on('error', (error) => {
      // macOS keeps the file of a socket whose process died.
      if ('code' in error && error.code === 'ECONNREFUSED' && !address.startsWith('\0')) {
        rmSync(address, { force: true })
      }
    })
    socket.once('close', () => resolve())
  })
}
