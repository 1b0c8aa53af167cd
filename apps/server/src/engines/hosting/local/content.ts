import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chown, mkdir, readdir } from 'node:fs/promises'
import { type Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { nullIfMissing } from '../../../file-errors.ts'
import { removeTree } from '../../../remove-tree.ts'
import { startError } from '../../../start-error.ts'
import { writeArchive } from '../content/content-archive.ts'
import { readContentProgram, tooLargeExitCode } from '../content/content-program.ts'
import { type ContentArchive, ContentTooLargeError, type StoredContent } from '../engine.ts'
import type { SiteFiles } from './files/layout.ts'
import type { Account } from './machine/accounts.ts'
import type { Machine } from './runtimes/runtime.ts'

/** Maximum characters of error output in a message, which has the last ones. */
const maxMessageLength = 2_000

/** True if the folder is empty or does not exist. */
export const isEmpty = async (folder: string): Promise<boolean> =>
  ((await nullIfMissing(readdir(folder))) ?? []).length === 0

type Run = {
  command: 'pack' | 'snapshot' | 'unpack'
  folder: string
  /** For the temporary files of a snapshot. */
  temporary?: string
}
type Pipes = { stdin: Writable; stdout: Readable }

/**
 * Runs the program of `content` as the site's user, not as root: a site's links could lead root to
 * files outside its folder.
 */
async function runAsSite(
  { node }: Pick<Machine, 'node'>,
  { command, folder, temporary }: Run,
  account: Account | null,
  signal: AbortSignal,
  transfer: (pipes: Pipes) => Promise<unknown>,
) {
  signal.throwIfAborted()
  const program = await readContentProgram()
  const child = spawn(
    node,
    ['--input-type=module', '--eval', program, '--', command, folder, temporary ?? '-'],
    {
      ...account,
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    },
  )
  if (child.pid === undefined) throw await startError(child)
  let message = ''
  child.stderr.on('data', (chunk: Buffer) => {
    message = `${message}${chunk}`.slice(-maxMessageLength)
  })
  // If the program exits early, its exit code and stderr report why.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<void>((resolve, reject) => {
    let failure: Error | null = null
    child.once('error', (error) => {
      failure = error
    })
    // Also after an error: a child that is killed still runs for a short time.
    child.once('close', (code) => {
      if (failure) reject(failure)
      else if (code === 0) resolve()
      else if (code === tooLargeExitCode) reject(new ContentTooLargeError())
      else reject(new Error(`The files of ${folder} could not be copied: ${message.trim()}`))
    })
  })
  const [end, transferred] = await Promise.allSettled([ended, transfer(child)])
  signal.throwIfAborted()
  if (end.status === 'rejected') throw end.reason
  if (transferred.status === 'rejected') throw transferred.reason
}

async function archiveAsSite(
  machine: Pick<Machine, 'node'>,
  run: Run,
  account: Account | null,
  { file }: ContentArchive,
  signal: AbortSignal,
) {
  const write = (archive: Writable) =>
    runAsSite(machine, run, account, signal, ({ stdout }) => pipeline(stdout, archive, { signal }))
  await writeArchive(file, write).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
}

/** See `HostingEngine.exportContent`: the files of a stopped site. */
export const packContent = (
  machine: Pick<Machine, 'node'>,
  { data }: SiteFiles,
  account: Account | null,
  archive: ContentArchive,
  signal: AbortSignal,
): Promise<void> =>
  archiveAsSite(machine, { command: 'pack', folder: data }, account, archive, signal)

/** See `HostingEngine.exportContent`: the files of a site that may run, one copy at a time. */
export async function copyContent(
  machine: Pick<Machine, 'node'>,
  { data, copies }: SiteFiles,
  account: Account | null,
  archive: ContentArchive,
  signal: AbortSignal,
): Promise<void> {
  // A copy that was killed may have left files.
  await removeTree(copies)
  try {
    await mkdir(copies, { mode: 0o700 })
    if (account) await chown(copies, account.uid, account.gid)
    const run: Run = { command: 'snapshot', folder: data, temporary: copies }
    await archiveAsSite(machine, run, account, archive, signal)
  } finally {
    await removeTree(copies)
  }
}

/** See `HostingEngine.importContent`. */
export async function unpackContent(
  machine: Pick<Machine, 'node'>,
  { data }: SiteFiles,
  account: Account | null,
  { file, digest }: StoredContent,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await runAsSite(machine, { command: 'unpack', folder: data }, account, signal, ({ stdin }) =>
    pipeline(createReadStream(file), hashed, stdin, { signal }),
  )
  if (hash.digest('hex') !== digest) throw new Error(`${file} is not what was stored`)
}
