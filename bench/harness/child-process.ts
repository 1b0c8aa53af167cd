import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const running = new Set<ChildProcess>()
let isWatched = false

/**
 * Ends the children with this process. A program that starts no children handles signals itself.
 */
function endChildrenAtExit() {
  if (isWatched) return
  isWatched = true
  process.once('exit', () => {
    // SIGINT, so that a server stops its database and its sites.
    for (const child of running) child.kill('SIGINT')
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

/** Starts a process that ends with this one. Its last output is part of the error when it fails. */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions) {
  endChildrenAtExit()
  const child = spawn(command, args, options)
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
    })
  child.once('exit', () => running.delete(child))
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      reject(new Error(`${command} ended (${signal ?? code})\n${output}`))
    })
  })
  // Rejects only for callers that wait.
  failed.catch(() => undefined)
  return {
    child,
    /** Waits for a result; rejects if the process exits first. */
    orExit: <Result>(result: Promise<Result>) => Promise.race([result, failed]),
    /** Waits for the exit, with any code. */
    waitForExit: () => failed.catch(() => undefined),
    /** Waits for the exit; rejects unless its code is 0. */
    waitForSuccess: () =>
      failed.catch((error) => {
        if (child.exitCode !== 0) throw error
      }),
    /** Sends SIGINT, as Ctrl-C does, and waits for the exit. */
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGINT')
      await exit
    },
  }
}

export type RunningProcess = ReturnType<typeof startProcess>

/** Runs a module in a new process, and waits for its first message. */
export async function startScript<Message>(module: string, args: readonly string[]) {
  const processHandle = startProcess(
    process.execPath,
    ['--expose-gc', fileURLToPath(module), ...args],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
  const firstMessage = await nextMessage<Message>(processHandle)
  return { ...processHandle, firstMessage }
}

export async function nextMessage<Message>(processHandle: RunningProcess): Promise<Message> {
  const [message] = await processHandle.orExit(once(processHandle.child, 'message'))
  return message as Message
}
