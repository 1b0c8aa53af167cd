import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  // Asked, not killed: a server then ends its database and its sites.
  for (const child of running) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a program that does not outlive this one. What it says on stderr is kept for its failure. */
export function startProgram(command: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(command, args, options)
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000)
    })
  child.once('exit', () => running.delete(child))
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      reject(new Error(`${command} ended (${signal ?? code})\n${said}`))
    })
  })
  // Only those who wait for something hear of it.
  failed.catch(() => undefined)
  return {
    child,
    /** Gives what comes first; rejects when the program ends before that. */
    unlessItEnds: <Result>(result: Promise<Result>) => Promise.race([result, failed]),
    /** Waits for its end, a success or not. */
    end: () => failed.catch(() => undefined),
    /** Waits for its end; rejects unless that is a success. */
    success: () =>
      failed.catch((error) => {
        if (child.exitCode !== 0) throw error
      }),
    /** Asks it to end, and waits until it has. */
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}

export type Program = ReturnType<typeof startProgram>

/** Starts a module that talks over `process.send` in a process of its own; waits for its first message. */
export async function startPart<Hello>(module: string, args: readonly string[]) {
  const program = startProgram(process.execPath, ['--expose-gc', fileURLToPath(module), ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const hello = await nextMessage<Hello>(program)
  return { ...program, hello }
}

/** The next thing that the program sends. */
export async function nextMessage<Message>(program: Program): Promise<Message> {
  const [message] = await program.unlessItEnds(once(program.child, 'message'))
  return message as Message
}
