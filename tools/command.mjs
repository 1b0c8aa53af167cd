import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** An error whose message is all that the user needs. */
export class ToolError extends Error {}

/** Writes one line for the user. */
export const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)

/** 1234 -> "1.2 s" */
export const seconds = (/** @type {number} */ milliseconds) =>
  `${(milliseconds / 1000).toFixed(1)} s`

/**
 * Runs a tool's main part and turns its end into an exit code: one line for a ToolError, the whole
 * story for anything else.
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
 * Runs a program to its end. Its output is collected, or shown as it comes with `show`. When this
 * process is told to end, the program is told so too.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, show?: boolean, shell?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(program, args, { env = process.env, cwd = root, show = false, shell } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, shell, stdio: show ? 'inherit' : 'pipe' })
    let output = ''
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.stdin?.end()
    const stopForwarding = forwardSignals(child)
    child.once('error', (error) => {
      stopForwarding()
      reject(error)
    })
    child.once('close', (code, signal) => {
      const caught = stopForwarding()
      if (caught) process.exit(128 + (caught === 'SIGINT' ? 2 : 15))
      if (signal) output += `\nended by ${signal}\n`
      resolve({ code: code ?? 1, output })
    })
  })
}

/**
 * Passes signals on to a child until the function given back is called, which says what came.
 * @param {import('node:child_process').ChildProcess} child
 */
export function forwardSignals(child) {
  /** @type {NodeJS.Signals | undefined} */
  let caught
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    // A terminal sends Ctrl-C to the whole group: then the child has it already.
    const sentByTerminal = signal === 'SIGINT' && process.stdin.isTTY
    caught = signal
    if (!sentByTerminal) child.kill(signal)
  }
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  return () => {
    process.off('SIGINT', forward)
    process.off('SIGTERM', forward)
    return caught
  }
}
