import type { FileHandle } from 'node:fs/promises'
import { minute } from '@slipway/contract/limits'
import type { LogSource } from '@slipway/contract/logs'
import type { Log } from '../log.ts'
import { LineBuffer } from './line-buffer.ts'
import { type Hour, hourOf, type LogLayout } from './log-layout.ts'
import { type LogRecord, writeRecord } from './log-record.ts'
import { openLog, type ProjectExists } from './open-log.ts'

export type LogLimits = {
  /** Maximum bytes of a file, which has one hour of a project's source. */
  fileBytes: number
  /** Maximum bytes of all lines that wait for the next flush. */
  waitingBytes: number
}

export const defaultLogLimits: LogLimits = {
  fileBytes: 16 * 2 ** 20,
  waitingBytes: 16 * 2 ** 20,
}

export type LogOptions = {
  limits?: LogLimits
  /** The logs of a project that does not exist are not created. True by default. */
  exists?: ProjectExists
}

const flushMs = 500
/** Minimum time between two reports of dropped lines, and between two warnings. */
const reportMs = minute
const newline = 0x0a

/** The lines of one log that wait for the next flush. */
type PendingLog = {
  key: string
  source: LogSource
  /** By hour, nearly always one. */
  hours: Map<Hour, LineBuffer>
  /** An earlier buffer, for reuse: new megabytes at each flush cost garbage collections. */
  spare: LineBuffer | undefined
  /** The hour whose file is full: its further lines are only counted. */
  fullHour: Hour
  /** Lines that are dropped and not yet reported in the file. */
  dropped: number
  droppedHour: Hour
  reportedAt: number
}

export type LogWriter = {
  /** Stores a line with the next flush. Never throws. */
  add(key: string, source: LogSource, record: LogRecord): void
  /** Writes the waiting lines. Lines that cannot be written are dropped and counted. */
  flush(): Promise<void>
  /** Flushes a last time. */
  close(): Promise<void>
}

/**
 * Appends lines to the files of the hour, twice a second. Any number of processes may append to a
 * file: each write has whole lines (O_APPEND), and a line that a crash truncated is ended first.
 */
export function createLogWriter(
  layout: LogLayout,
  log: Log,
  { limits = defaultLogLimits, exists = async () => true }: LogOptions = {},
  now: () => number = Date.now,
): LogWriter {
  const pendingLogs = {
    site: new Map<string, PendingLog>(),
    requests: new Map<string, PendingLog>(),
  }
  /** Files that this process has found to end with a complete line. */
  const checked = new Set<string>()
  let waitingBytes = 0
  let flushing = Promise.resolve()
  let warnedAt = Number.NEGATIVE_INFINITY

  function pendingLogOf(key: string, source: LogSource): PendingLog {
    let pendingLog = pendingLogs[source].get(key)
    if (!pendingLog) {
      const hours = new Map<Hour, LineBuffer>()
      pendingLog = {
        key,
        source,
        hours,
        spare: undefined,
        fullHour: '',
        dropped: 0,
        droppedHour: '',
        reportedAt: 0,
      }
      pendingLogs[source].set(key, pendingLog)
    }
    return pendingLog
  }

  function drop(pendingLog: PendingLog, count: number) {
    pendingLog.dropped += count
    if (count > 0 && pendingLog.droppedHour === '') pendingLog.droppedHour = hourOf(now())
  }

  function forgetDropped(pendingLog: PendingLog, count = pendingLog.dropped) {
    pendingLog.dropped -= count
    if (pendingLog.dropped === 0) pendingLog.droppedHour = ''
  }

  /** Appends the lines that fit into the file. Returns their number. */
  async function append(file: FileHandle, pendingLog: PendingLog, hour: Hour, lines: LineBuffer) {
    const { size } = await file.stat()
    const fitting = lines.within(limits.fileBytes - size)
    if (fitting.bytes.length > 0) await file.appendFile(fitting.bytes)
    if (fitting.count < lines.count) pendingLog.fullHour = hour
    return fitting.count
  }

  async function reportDropped(file: FileHandle, pendingLog: PendingLog) {
    const { dropped, reportedAt } = pendingLog
    if (dropped === 0 || now() - reportedAt < reportMs) return
    await file.appendFile(writeRecord({ time: now(), dropped }))
    // Not all: more lines may have been dropped meanwhile.
    forgetDropped(pendingLog, dropped)
    pendingLog.reportedAt = now()
  }

  /** Writes the lines of an hour. Those that it cannot write are dropped, each counted once. */
  async function write(pendingLog: PendingLog, hour: Hour, lines: LineBuffer) {
    const path = layout.file(pendingLog.key, pendingLog.source, hour)
    let uncounted = lines.count
    try {
      const file = await openLog(layout, pendingLog.key, pendingLog.source, hour, exists)
      if (!file) return forgetDropped(pendingLog)
      try {
        if (!checked.has(path)) {
          await endHalfLine(file)
          checked.add(path)
        }
        const written = await append(file, pendingLog, hour, lines)
        uncounted = 0
        drop(pendingLog, lines.count - written)
        await reportDropped(file, pendingLog)
      } finally {
        await file.close()
      }
    } catch (err) {
      drop(pendingLog, uncounted)
      // The file may end with half a line now.
      checked.delete(path)
      if (now() - warnedAt >= reportMs) {
        warnedAt = now()
        log.warn({ err }, 'the logs of sites cannot be written')
      }
    }
  }

  async function flushOne(pendingLog: PendingLog) {
    const byHour = pendingLog.hours
    pendingLog.hours = new Map()
    // Lines that an hour has dropped are reported in its own file.
    const { droppedHour } = pendingLog
    if (droppedHour !== '' && droppedHour < hourOf(now())) {
      pendingLog.reportedAt = 0
      if (!byHour.has(droppedHour)) byHour.set(droppedHour, new LineBuffer())
    } else if (pendingLog.dropped > 0 && byHour.size === 0)
      byHour.set(hourOf(now()), new LineBuffer())
    for (const [hour, lines] of [...byHour].sort(([first], [second]) =>
      first < second ? -1 : 1,
    )) {
      await write(pendingLog, hour, lines)
      pendingLog.spare = lines.isWorthReuse ? lines : undefined
      lines.clear()
    }
  }

  async function flushAll() {
    waitingBytes = 0
    const hour = hourOf(now())
    for (const path of checked) if (!path.endsWith(`${hour}.log`)) checked.delete(path)
    for (const ofSource of [pendingLogs.site, pendingLogs.requests])
      for (const [key, pendingLog] of ofSource) {
        pendingLog.spare = pendingLog.hours.size > 0 ? pendingLog.spare : undefined
        if (pendingLog.hours.size > 0 || pendingLog.dropped > 0) await flushOne(pendingLog)
        else if (now() - pendingLog.reportedAt >= reportMs && pendingLog.fullHour !== hour)
          ofSource.delete(key)
      }
  }

  const flush = () => {
    // The caller of a failed flush has its error.
    flushing = flushing.catch(() => {}).then(flushAll)
    return flushing
  }

  const timer = setInterval(() => {
    if (pendingLogs.site.size + pendingLogs.requests.size > 0)
      flush().catch((err) => log.error({ err }, 'the logs of sites were not written'))
  }, flushMs)
  timer.unref()

  return {
    add(key, source, record) {
      const pendingLog = pendingLogOf(key, source)
      const hour = hourOf(record.time)
      if (pendingLog.fullHour === hour || waitingBytes >= limits.waitingBytes)
        return drop(pendingLog, 1)
      let lines = pendingLog.hours.get(hour)
      if (!lines) {
        lines = pendingLog.spare ?? new LineBuffer()
        pendingLog.spare = undefined
        pendingLog.hours.set(hour, lines)
      }
      waitingBytes += lines.add(writeRecord(record))
    },
    flush,
    async close() {
      clearInterval(timer)
      for (const ofSource of [pendingLogs.site, pendingLogs.requests])
        for (const pendingLog of ofSource.values()) pendingLog.reportedAt = 0
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
