import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { forwardSignals, root } from './command.mjs'
import { setUp } from './setup.mjs'

const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href

// npm starts this through a shell, and whoever stops npm stops the shell but not what it runs.
const runByNpm = process.env.npm_lifecycle_event !== undefined

/**
 * Makes everything ready, and becomes a program of the server.
 * @param {string} path the program, from the repository's root
 * @returns {Promise<number>} its exit code, where a process cannot become another
 */
export async function becomeServer(path) {
  const { node, env } = await setUp()
  process.chdir(root)
  const program = [join(root, path), ...process.argv.slice(2)]
  // To become it is the safest: one process, which gets its signals itself and is nobody's orphan.
  if (process.execve && process.platform !== 'win32') {
    const watch = runByNpm ? ['--import', endWithParent] : []
    process.execve(node, [node, ...watch, ...program], env)
  }
  if (runByNpm) await import(endWithParent)
  return runServer(node, ['--import', endWithParent, ...program], env)
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the server's exit code
 */
function runServer(node, args, env) {
  const child = spawn(node, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}
