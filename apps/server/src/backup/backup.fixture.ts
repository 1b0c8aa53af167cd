import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Connection } from '../db/embedded-connection.ts'
import { urlOf } from '../db/embedded-connection.ts'
import { serverProgram } from '../testing/built-programs.ts'
import { freePort } from '../testing/free-port.ts'
import { until } from '../testing/until.ts'
import type { World } from '../testing/world.ts'

export const backupProgram = join(import.meta.dirname, 'backup.main.ts')
const restoreProgram = join(import.meta.dirname, 'restore.main.ts')

/** A new folder that sites' users can enter, deleted after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-backup-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export const urlOfWorld = ({ database }: Pick<World, 'database'>) =>
  urlOf(database.options as Connection)

type Variables = Record<string, string>

const ownVariables = (): Variables => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === '' ? {} : { NODE_COMPILE_CACHE }) }
}

/** Starts one of the server's programs, killed after the test if it still runs. */
export function spawnProgram(program: string, args: readonly string[], env: Variables) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...ownVariables(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.text += text
    })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return { child, output, closed }
}

async function runProgram(program: string, args: readonly string[], env: Variables) {
  const { output, closed } = spawnProgram(program, args, env)
  const [code] = await closed
  return { code, output: output.text }
}

/** `npm run backup`. */
export const runBackup = (args: readonly string[], env: Variables) =>
  runProgram(backupProgram, args, env)

/** `npm run restore`. */
export const runRestore = (args: readonly string[], env: Variables) =>
  runProgram(restoreProgram, args, env)

/** `npm start` on a data folder, once it is ready. Stopped after the test. */
export async function startServer(dataDir: string, env: Variables = {}) {
  const [port, sitesPort] = [await freePort(), await freePort()]
  const { child, output, closed } = spawnProgram(serverProgram, [], {
    DATA_DIR: dataDir,
    PICTURES_BROWSER: 'off',
    PORT: String(port),
    SITES_PORT: String(sitesPort),
    RATE_LIMIT: '0',
    ...env,
  })
  const stop = async () => {
    // SIGINT, as from Ctrl-C, stops the sites, too.
    if (isRunning(child)) child.kill('SIGINT')
    await closed
  }
  // Before the kill of `spawnProgram`, so that the database stops with the server.
  onTestFinished(stop)
  await until(async () => {
    if (!isRunning(child)) throw new Error(output.text)
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    return response?.ok
  })
  return { base: `http://127.0.0.1:${port}`, sitesPort, stop }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode === null && signalCode === null
