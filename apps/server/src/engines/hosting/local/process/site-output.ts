import { execFile } from 'node:child_process'
import { constants, fstatSync, ftruncateSync, readSync } from 'node:fs'
import { type FileHandle, open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { nullIfMissing } from '../../../../file-errors.ts'
import type { Log } from '../../../../log.ts'
import { maxLinesAtOnce, textsOf } from '../../../../logs/log-record.ts'
import { siteNotes } from './site-notes.ts'

/** Where the output of sites goes. */
export type OutputLog = {
  add(key: string, source: 'site', line: { time: number; text: string }): void
  /** Resolves when all added lines are on the disk. */
  flush(): Promise<void>
}

/** Maximum bytes that are read of a site at once: endless output must not delay other sites. */
const readBytes = 256 * 1024
/** Of more unread output only the newest is read: the log of an hour has no room for it. */
const maxUnreadBytes = 16 * 2 ** 20
/** The read part of a file is removed once it has this size. */
const cutBytes = 2 ** 20
/** Maximum bytes of the output of a program that is being checked. */
const maxCheckedBytes = 4 * 2 ** 20
/** A multiple of every file system's block size. */
const cutUnit = 64 * 1024
/** The output of a replaced process is read for this time. */
const replacedMs = 120_000
const newline = 0x0a

/** One file that a process writes to, also after it was renamed. */
type OutputFile = {
  handle: FileHandle
  ino: number
  /** Bytes before it are in the log. */
  position: number
  /** The size of the unfinished last line at the previous poll. */
  unfinishedSize: number
  /** When another file got its path; null until then. */
  replacedAt: number | null
}

type Site = { current: OutputFile | null; replaced: OutputFile[] }

const run = promisify(execFile)

/**
 * Moves the output of sites from the files of their processes into the logs. The processes need no
 * server: without one their files grow to the limit of `ulimit -f`, and the next server continues
 * where the last one stopped.
 */
export const createSiteOutput = (output: OutputLog, log: Log) => {
  const sites = new Map<string, Site>()
  let isFailureLogged = false

  const positionPath = (path: string) => `${path}.position`

  /**
   * The stored position; 0 if it belongs to another file. After a crash of the server the log may
   * have a line twice.
   */
  const storedPosition = async (path: string, ino: number): Promise<number> => {
    const text = (await nullIfMissing(readFile(positionPath(path), 'utf8'))) ?? ''
    const [storedIno, position] = text.split(' ').map(Number)
    return storedIno === ino && Number.isSafeInteger(position) ? (position as number) : 0
  }

  const storePosition = async (path: string, { ino, position }: OutputFile) => {
    await nullIfMissing(writeFile(positionPath(path), `${ino} ${position}\n`, { mode: 0o600 }))
  }

  const openFile = async (path: string): Promise<OutputFile | null> => {
    const handle = await nullIfMissing(open(path, 'r+'))
    if (!handle) return null
    const { ino, size } = await handle.stat()
    const position = await storedPosition(path, ino)
    // Shorter than before: it was emptied for a new process.
    const start = position <= size ? position : 0
    return { handle, ino, position: start, unfinishedSize: -1, replacedAt: null }
  }

  /** Follows the path to the file that it names now. */
  const follow = async (site: Site, path: string) => {
    const ino = (await nullIfMissing(stat(path)))?.ino
    if (site.current && site.current.ino === ino) return
    if (site.current) {
      site.current.replacedAt = performance.now()
      site.replaced.push(site.current)
    }
    site.current = ino === undefined ? null : await openFile(path)
  }

  const addLine = (key: string, time: number, line: string) => {
    for (const text of textsOf(line)) output.add(key, 'site', { time, text })
  }

  /** Adds the new lines of a file to the log. Returns whether there were any. */
  const readLines = async (key: string, file: OutputFile, isFinal: boolean): Promise<boolean> => {
    const { size, mtimeMs } = await file.handle.stat()
    if (size < file.position) file.position = 0
    if (size === file.position) return false
    // Lines that a site printed while no server ran all get the time of the last one.
    const time = Math.floor(Math.min(Date.now(), mtimeMs))
    if (size - file.position > maxUnreadBytes) {
      file.position = size - readBytes
      addLine(key, time, siteNotes.outputMissing)
    }
    const bytes = Buffer.alloc(Math.min(size - file.position, readBytes))
    const { bytesRead } = await file.handle.read(bytes, 0, bytes.length, file.position)
    const read = bytes.subarray(0, bytesRead)
    // An unfinished line waits for its end until the next poll. Then it is added as it is: a prompt
    // has no end.
    const isWaiting = !isFinal && file.unfinishedSize !== size
    const isWhole = file.position + read.length === size
    let start = 0
    for (let lines = 0; lines < maxLinesAtOnce && start < read.length; lines++) {
      const end = read.indexOf(newline, start)
      if (end === -1 && (isWhole ? isWaiting : start > 0)) break
      addLine(key, time, read.toString('utf8', start, end === -1 ? undefined : end))
      start = end === -1 ? read.length : end + 1
    }
    file.unfinishedSize = start < read.length ? size : -1
    file.position += start
    return start > 0
  }

  /**
   * Removes the read part of a file. Collapsing a range loses no line, because the site appends to
   * the file. Where the file system cannot do that, the file is emptied right after its last line
   * was read.
   */
  const cut = async (key: string, path: string, file: OutputFile) => {
    const { size } = await file.handle.stat()
    // A range that reaches the end cannot be collapsed.
    const length = Math.floor((Math.min(file.position, size) - 1) / cutUnit) * cutUnit
    if (length < cutBytes) return
    const position = file.position
    // Before the cut: a crash in between repeats lines instead of losing some.
    await storePosition(path, { ...file, position: position - length })
    if (await collapse(file.handle, length)) file.position = position - length
    else {
      emptyAtEnd(key, file)
      await storePosition(path, file)
    }
  }

  /**
   * Removes the first bytes of a file in place. False where the file system cannot do that, and
   * when the program has shortened the file meanwhile.
   */
  const collapse = async ({ fd }: FileHandle, length: number): Promise<boolean> => {
    if (process.platform !== 'linux') return false
    const range = ['--collapse-range', '--offset', '0', '--length', `${length}`]
    try {
      await run('fallocate', [...range, `/proc/${process.pid}/fd/${fd}`])
      return true
    } catch (err) {
      // Once: where the file system cannot do it, each call fails.
      if (!isFailureLogged)
        log.info({ err }, 'The output of a site cannot be cut in place: its file is emptied')
      isFailureLogged = true
      return false
    }
  }

  const shorten = async (path: string) => {
    const handle = await nullIfMissing(open(path, constants.O_RDWR | constants.O_APPEND))
    if (!handle) return
    try {
      const { size } = await handle.stat()
      const length = Math.floor((size - maxCheckedBytes) / cutUnit) * cutUnit
      if (length < cutBytes) return
      if (!(await collapse(handle, length))) {
        const newest = Buffer.alloc(maxCheckedBytes)
        const { buffer } = await handle.read({ buffer: newest, position: size - maxCheckedBytes })
        await handle.truncate(0)
        await handle.appendFile(buffer)
      }
      await handle.appendFile(`${siteNotes.outputRemoved}\n`)
    } finally {
      await handle.close()
    }
  }

  /**
   * Reads the rest and empties the file, with nothing in between but two system calls. More than is
   * read at once waits for the next call, unless the file is too large.
   */
  const emptyAtEnd = (key: string, file: OutputFile) => {
    const { fd } = file.handle
    const bytes = Buffer.alloc(readBytes)
    const length = readSync(fd, bytes, 0, bytes.length, file.position)
    const lines = bytes.toString('utf8', 0, length).split('\n', maxLinesAtOnce)
    const { size } = fstatSync(fd)
    const isWhole = lines.length < maxLinesAtOnce && file.position + length === size
    if (!isWhole && size < maxUnreadBytes) return
    ftruncateSync(fd, 0)
    file.position = 0
    if (lines.at(-1) === '') lines.pop()
    for (const line of lines) addLine(key, Date.now(), line)
    if (!isWhole) addLine(key, Date.now(), siteNotes.outputMissing)
  }

  const siteOf = (key: string): Site => {
    const site = sites.get(key) ?? { current: null, replaced: [] }
    sites.set(key, site)
    return site
  }

  const closeReplaced = async (site: Site) => {
    const oldest = performance.now() - replacedMs
    const expired = site.replaced.filter(({ replacedAt }) => (replacedAt ?? 0) < oldest)
    site.replaced = site.replaced.filter((file) => !expired.includes(file))
    for (const { handle } of expired) await handle.close()
  }

  const collectOne = async (key: string, path: string, isFinal: boolean) => {
    const site = siteOf(key)
    await follow(site, path)
    for (const file of site.replaced) await readLines(key, file, isFinal)
    await closeReplaced(site)
    return site.current !== null && (await readLines(key, site.current, isFinal))
  }

  let working: Promise<unknown> = Promise.resolve()
  /** Runs one call after the other, so that no line is read twice. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = working.then(work)
    working = result.catch(() => undefined)
    return result
  }

  const finish = async (key: string, path: string) => {
    let remainingReads = maxUnreadBytes / readBytes
    while (remainingReads > 0 && (await collectOne(key, path, true))) remainingReads -= 1
    if (remainingReads === 0) addLine(key, Date.now(), siteNotes.outputMissing)
    await output.flush()
    await nullIfMissing(truncate(path))
    const site = siteOf(key)
    if (site.current) await storePosition(path, { ...site.current, position: 0 })
    await closeSite(key)
  }

  const closeSite = async (key: string) => {
    const site = sites.get(key)
    sites.delete(key)
    for (const file of [site?.current, ...(site?.replaced ?? [])]) await file?.handle.close()
  }

  return {
    /** Moves the output since the last call. Paths by key. */
    collect: (paths: ReadonlyMap<string, string>): Promise<void> =>
      inTurn(async () => {
        const changed: string[] = []
        for (const [key, path] of paths) if (await collectOne(key, path, false)) changed.push(key)
        for (const key of sites.keys()) if (!paths.has(key)) await closeSite(key)
        if (changed.length === 0) return
        await output.flush()
        for (const key of changed) {
          const [path, file] = [paths.get(key) ?? '', siteOf(key).current]
          if (!file) continue
          await storePosition(path, file)
          await cut(key, path, file)
        }
      }),
    /** Shortens a large file of a program that is being checked, whose output is not moved yet. */
    shorten: (path: string): Promise<void> => inTurn(() => shorten(path)),
    /** Adds the output of a process that failed to start, whose file is deleted. */
    add: (key: string, text: string): Promise<void> =>
      inTurn(async () => {
        for (const line of text.split('\n', maxLinesAtOnce)) addLine(key, Date.now(), line)
        await output.flush()
      }),
    /** Moves the remaining output of a site whose process has ended, and empties its file. */
    finish: (key: string, path: string): Promise<void> => inTurn(() => finish(key, path)),
    /** Reads nothing more of a site. */
    closeSite: (key: string): Promise<void> => inTurn(() => closeSite(key)),
    close: (): Promise<void> =>
      inTurn(async () => {
        for (const key of [...sites.keys()]) await closeSite(key)
      }),
  }
}

export type SiteOutput = ReturnType<typeof createSiteOutput>
