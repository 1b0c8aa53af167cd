import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { nullIfMissing } from '../../../file-errors.ts'
import { writeArchive } from '../content/content-archive.ts'
import { readContentProgram } from '../content/content-program.ts'
import type { ContentArchive, StoredContent } from '../engine.ts'
import type { SiteFiles } from './files/layout.ts'
import type { Account } from './machine/accounts.ts'
import type { Machine } from './runtimes/runtime.ts'

/** Maximum characters of error output in a message, which has the last ones. */
const maxMessageLength = 2_000

/** True if the folder is empty or does not exist. */
export const isEmpty = async (folder: string): Promise<boolean> =>
  ((await nullIfMissing(readdir(folder))) ?? []).length === 0

type Pipes = { stdin: Writable; stdout: Readable }

/**
 * Runs the program of `content` as the site's user, not as root: a site's links could lead root to
 * files outside its folder.
 */
async function runAsSite(
  { node }: Pick<Machine, 'node'>,
  command: 'pack' | 'unpack',
  folder: string,
  account: Account | null,
  signal: AbortSignal,
  transfer: (pipes: Pipes) => Promise<unknown>,
) {
  signal.throwIfAborted()
  const program = await readContentProgram()
  const child = spawn(
    node,
    ['--input-type=module', '--eval', program, '--', command, folder, '-'],
    {
      ...account,
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    },
  )
  let message = ''
  child.stderr.on('data', (chunk: Buffer) => {
    message = `${message}${chunk}`.slice(-maxMessageLength)
  })
  // If the program exits early, its exit code and stderr report why.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The files of ${folder} could not be moved: ${message.trim()}`))
    })
  })
  const [end, transferred] = await Promise.allSettled([ended, transfer(child)])
  signal.throwIfAborted()
  if (end.status === 'rejected') throw end.reason
  if (transferred.status === 'rejected') throw transferred.reason
}

/** See `HostingEngine.exportContent`. */
export const packContent = (
  machine: Pick<Machine, 'node'>,
  { data }: SiteFiles,
  account: Account | null,
  { file }: ContentArchive,
  signal: AbortSignal,
): Promise<void> =>
  writeArchive(file, (archive) =>
    runAsSite(machine, 'pack', data, account, signal, ({ stdout }) =>
      pipeline(stdout, archive, { signal }),
    ),
  )

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
  await runAsSite(machine, 'unpack', data, account, signal, ({ stdin }) =>
    pipeline(createReadStream(file), hashed, stdin, { signal }),
  )
  if (hash.digest('hex') !== digest) throw new Error(`${file} is not what was stored`)
}
