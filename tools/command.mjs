import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** An error whose message is all that the user needs. */
export class ToolError extends Error {}

export const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)

/** 1234 -> "1.2 s" */
export const seconds = (/** @type {number} */ milliseconds) =>
  `${(milliseconds / 1000).toFixed(1)} s`

/**
 * Runs a tool's main function and sets the exit code. A ToolError prints its message, any other
 * error its stack.
 * @param {() => Promise<number | undefined>} main
 */
export async function runTool(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    process.stderr.write(`${error instanceof ToolError ? error.message : error?.stack}\n`)
    process.exitCode = 1
  }
}

/**
 * Runs a program until it exits, and forwards SIGINT, SIGTERM and SIGHUP to it. `show` passes its
 * output on to the terminal; otherwise it is collected.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, show?: boolean, shell?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(program, args, { env = process.env, cwd = root, show = false, shell } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, shell, stdio: show ? 'inherit' : 'pipe' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    child.stdin?.end()
    const stopForwarding = forwardSignals(child)
    child.once('error', (error) => {
      stopForwarding()
      reject(error)
    })
    child.once('close', (code, signal) => {
      const received = stopForwarding()
      if (received) process.exit(128 + constants.signals[received])
      if (signal) output += `\nended by ${signal}\n`
      resolve({ code: code ?? 1, output })
    })
  })
}

/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Forwards signals to a child until the returned function is called. That function returns the
 * signal that was received, if any.
 * @param {import('node:child_process').ChildProcess} child
 */
export function forwardSignals(child) {
  /** @type {NodeJS.Signals | undefined} */
  let received
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    received = signal
    // A terminal sends Ctrl-C to the whole process group, so the child has it already.
    const sentByTerminal = signal === 'SIGINT' && process.stdin.isTTY
    if (!sentByTerminal) child.kill(signal)
  }
  for (const signal of forwarded) process.on(signal, forward)
  return () => {
    for (const signal of forwarded) process.off(signal, forward)
    return received
  }
}
