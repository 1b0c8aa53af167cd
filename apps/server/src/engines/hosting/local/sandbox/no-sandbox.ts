import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { signalGroup } from '../machine/signals.ts'
import type { Sandbox, SandboxedCommand, SandboxedProgram } from './sandbox.ts'

/** A folder in `PATH` that has Node under its usual name. */
const [insideBin, insideNode] = ['/runtime/bin', '/runtime/bin/node']

/** Replaces the paths of a sandbox by the real ones. */
const translator = (paths: Readonly<Record<string, string>>) => {
  // Longest first: one may be below another.
  const inside = Object.keys(paths).sort((first, second) => second.length - first.length)
  const pattern = new RegExp(
    `(?<![\\w./-])(?:${inside.map((path) => RegExp.escape(path)).join('|')})(?![\\w.-])`,
    'g',
  )
  return (text: string) => text.replace(pattern, (path) => paths[path] ?? path)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Runs programs without a sandbox, for `SANDBOX=off` (decision 60): as the site's user if the
 * server is root, otherwise as its own, with the network and the files that this user has. The
 * paths of the sandbox are replaced in commands and variables, and each program gets a free port.
 */
export function createNoSandbox(folder: string): Sandbox {
  async function wrap({
    command,
    env,
    cwd,
    readable,
    writable,
    account,
  }: SandboxedProgram): Promise<SandboxedCommand> {
    const bin = join(folder, 'bin')
    const node = readable[insideNode]
    if (node !== undefined) await linkNode(bin, node)
    const outside = translator({ [insideBin]: bin, ...readable, ...writable })
    const entries = Object.entries(env)
      .filter(([name]) => !/^(https?|no)_proxy$/i.test(name))
      .map(([name, value]) => [name, outside(value)])
    const port = env.PORT === undefined ? {} : { PORT: String(await freePort()) }
    return {
      command: command.map(outside),
      env: { ...Object.fromEntries(entries), ...port },
      cwd: outside(cwd),
      account,
      group: null,
      descriptors: [],
    }
  }

  return {
    isolates: false,
    wrap,
    async start(program) {
      const { command, env, cwd, account } = await wrap(program)
      const [file = '', ...args] = command
      const child = spawn(file, args, {
        cwd,
        env: { ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        // Its own process group, which is killed with it.
        detached: true,
        ...(account ?? {}),
      })
      const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
      exited.catch(() => undefined)
      const kill = async () => {
        if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
      }
      return {
        child,
        exited,
        kill,
        cleanUp: kill,
        processes: async () => [],
        memoryKills: async () => 0,
      }
    },
  }
}

async function linkNode(bin: string, node: string) {
  await mkdir(bin, { recursive: true, mode: 0o755 })
  const link = join(bin, 'node')
  await rm(link, { force: true })
  // Another start may have made the link meanwhile.
  await symlink(node, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
