import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { minute } from '@slipway/contract/limits'
import type { LogSource } from '@slipway/contract/logs'
import type { Log } from '../log.ts'
import { type Hour, hourOf, type LogLayout } from './log-layout.ts'
import { type LogRecord, writeRecord } from './log-record.ts'

export type LogLimits = {
  /** The size of one file: a project, a source, an hour. */
  fileBytes: number
  /** Lines of all projects that wait for the next flush. */
  waitingBytes: number
}

export const defaultLogLimits: LogLimits = {
  fileBytes: 16 * 2 ** 20,
  waitingBytes: 16 * 2 ** 20,
}

const flushMs = 500
/** A full file says so often how many lines it lacks. */
const reportMs = minute
const newline = 0x0a

/** What waits for one file's folder. */
type Waiting = {
  key: string
  source: LogSource
  lines: { time: number; line: string }[]
  /** Lines that are dropped and not yet reported in the file. */
  dropped: number
  droppedHour: Hour
  reportedAt: number
}

export type LogWriter = {
  /** Stores a line with the next flush. Never throws. */
  add(key: string, source: LogSource, record: LogRecord): void
  /** Writes what waits. Rejects only for errors of ours: a disk that fails costs lines. */
  flush(): Promise<void>
  /** Flushes a last time. */
  close(): Promise<void>
}

/**
 * Appends lines to the files of the hour, twice a second. Any number of processes may append to one
 * file: each write is a batch of whole lines (O_APPEND), and a half line that a crash has left is
 * ended before the next one.
 */
export function createLogWriter(
  layout: LogLayout,
  log: Log,
  limits: LogLimits = defaultLogLimits,
  now: () => number = Date.now,
): LogWriter {
  const all = new Map<string, Waiting>()
  /** Files that end with a complete line, as far as this process has seen. */
  const checked = new Set<string>()
  let waitingBytes = 0
  let flushing = Promise.resolve()
  let failedAt = Number.NEGATIVE_INFINITY

  function waitingOf(key: string, source: LogSource): Waiting {
    const id = `${key}/${source}`
    let waiting = all.get(id)
    if (!waiting) {
      waiting = { key, source, lines: [], dropped: 0, droppedHour: '', reportedAt: 0 }
      all.set(id, waiting)
    }
    return waiting
  }

  function drop(waiting: Waiting, count: number) {
    waiting.dropped += count
    waiting.droppedHour ||= hourOf(now())
  }

  async function append(file: FileHandle, waiting: Waiting, lines: readonly string[]) {
    const { size } = await file.stat()
    let room = limits.fileBytes - size
    const fitting: string[] = []
    for (const line of lines) {
      const bytes = Buffer.byteLength(line)
      // A shorter line after one that did not fit would hide the gap.
      if (bytes > room) room = 0
      else {
        room -= bytes
        fitting.push(line)
      }
    }
    drop(waiting, lines.length - fitting.length)
    if (waiting.dropped > 0 && now() - waiting.reportedAt >= reportMs) {
      fitting.push(writeRecord({ time: now(), dropped: waiting.dropped }))
      waiting.dropped = 0
      waiting.droppedHour = ''
      waiting.reportedAt = now()
    }
    if (fitting.length > 0) await file.appendFile(fitting.join(''))
  }

  async function write(waiting: Waiting, hour: Hour, lines: readonly string[]) {
    const path = layout.file(waiting.key, waiting.source, hour)
    // Others may read only as members of the folder's group (`shareLogs`).
    await mkdir(layout.folder(waiting.key, waiting.source), { recursive: true, mode: 0o750 })
    const file = await open(path, 'a+', 0o640)
    try {
      if (!checked.has(path)) {
        await endHalfLine(file)
        checked.add(path)
      }
      await append(file, waiting, lines)
    } finally {
      await file.close()
    }
  }

  async function flushOne(waiting: Waiting) {
    const { lines } = waiting
    waiting.lines = []
    const byHour = Map.groupBy(lines, ({ time }) => hourOf(time))
    // Lines that an hour has dropped are reported in its own file.
    const { droppedHour } = waiting
    if (droppedHour !== '' && droppedHour < hourOf(now())) {
      waiting.reportedAt = 0
      if (!byHour.has(droppedHour)) byHour.set(droppedHour, [])
    } else if (waiting.dropped > 0 && byHour.size === 0) byHour.set(hourOf(now()), [])
    for (const [hour, some] of [...byHour].sort(([one], [other]) => (one < other ? -1 : 1))) {
      try {
        await write(
          waiting,
          hour,
          some.map(({ line }) => line),
        )
      } catch (err) {
        drop(waiting, some.length)
        if (now() - failedAt >= reportMs) log.warn({ err }, 'the logs of sites cannot be written')
        failedAt = now()
      }
    }
  }

  async function flushAll() {
    waitingBytes = 0
    const hour = hourOf(now())
    for (const path of checked) if (!path.endsWith(`${hour}.log`)) checked.delete(path)
    for (const [id, waiting] of all) {
      if (waiting.lines.length === 0 && waiting.dropped === 0) {
        if (now() - waiting.reportedAt >= reportMs) all.delete(id)
        continue
      }
      await flushOne(waiting)
    }
  }

  const flush = () => {
    flushing = flushing.then(flushAll)
    return flushing
  }

  const timer = setInterval(() => {
    if (all.size > 0)
      flush().catch((err) => log.error({ err }, 'the logs of sites were not written'))
  }, flushMs)
  timer.unref()

  return {
    add(key, source, record) {
      const waiting = waitingOf(key, source)
      if (waitingBytes >= limits.waitingBytes) return drop(waiting, 1)
      const line = writeRecord(record)
      waitingBytes += line.length
      waiting.lines.push({ time: record.time, line })
    },
    flush,
    async close() {
      clearInterval(timer)
      for (const waiting of all.values()) waiting.reportedAt = 0
      await flush()
    },
  }
}

async function endHalfLine(file: FileHandle) {
  const { size } = await file.stat()
  if (size === 0) return
  const last = Buffer.alloc(1)
  await file.read(last, 0, 1, size - 1)
  if (last[0] !== newline) await file.appendFile('\n')
}
