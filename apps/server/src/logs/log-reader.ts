import { type FileHandle, open, readdir } from 'node:fs/promises'
import type { LogEntry, LogSource } from '@slipway/contract/logs'
import { nullIfMissing } from '../file-errors.ts'
import {
  type Hour,
  hourOf,
  hourOfFile,
  type LogLayout,
  type LogPlace,
  positionOf,
} from './log-layout.ts'
import { readRecord } from './log-record.ts'

const blockBytes = 64 * 1024
const newline = 0x0a

/** How long after its end the lines of an hour may still be written. */
const lateFlushMs = 5_000

/** Maximum bytes of a page: with long lines it has fewer of them than requested. */
const pageBytes = 1024 * 1024

async function hoursOf(layout: LogLayout, key: string, source: LogSource): Promise<Hour[]> {
  const names = (await nullIfMissing(readdir(layout.folder(key, source)))) ?? []
  return names
    .map(hourOfFile)
    .filter((hour) => hour !== undefined)
    .sort()
}

type Line = { offset: number; text: string }

/**
 * The complete lines of bytes that start at `offset`, and where the first incomplete one starts.
 */
function splitLines(bytes: Buffer, offset: number): { lines: Line[]; end: number } {
  const lines: Line[] = []
  let start = 0
  for (;;) {
    const end = bytes.indexOf(newline, start)
    if (end === -1) return { lines, end: offset + start }
    lines.push({ offset: offset + start, text: bytes.toString('utf8', start, end) })
    start = end + 1
  }
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, end - start))
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

const entriesOf = (lines: readonly Line[], hour: Hour): LogEntry[] =>
  lines
    .map(({ offset, text }) => readRecord(text, positionOf({ hour, offset })))
    .filter((entry) => entry !== undefined)

/** At most the last `limit` lines that end at or before `end`, read in blocks from the end. */
async function readFileBackward(
  file: FileHandle,
  hour: Hour,
  end: number,
  limit: number,
): Promise<LogEntry[]> {
  const { size } = await file.stat()
  const last = Math.min(end, size)
  let start = last
  for (;;) {
    start = Math.max(0, start - blockBytes)
    const bytes = await readBytes(file, start, last)
    // The first line of a block may be cut.
    const from = start === 0 ? 0 : bytes.indexOf(newline) + 1
    const entries = entriesOf(splitLines(bytes.subarray(from), start + from).lines, hour)
    if (start === 0 || entries.length >= limit || last - start >= pageBytes)
      return entries.slice(-limit)
  }
}

/** The newest lines, or those before a place, oldest first. */
export async function readBackward(
  layout: LogLayout,
  key: string,
  source: LogSource,
  { before, limit }: { before?: LogPlace | undefined; limit: number },
): Promise<LogEntry[]> {
  const hours = (await hoursOf(layout, key, source)).reverse()
  let entries: LogEntry[] = []
  for (const hour of hours) {
    if (before && hour > before.hour) continue
    const file = await nullIfMissing(open(layout.file(key, source, hour)))
    if (!file) continue
    try {
      const end = hour === before?.hour ? before.offset : Number.POSITIVE_INFINITY
      entries = [...(await readFileBackward(file, hour, end, limit - entries.length)), ...entries]
    } finally {
      await file.close()
    }
    if (entries.length >= limit) break
  }
  return entries
}

/**
 * At most about 1 MiB of lines from a place on, and where the next call continues: in the next hour
 * once all complete lines of this one are read.
 */
export async function readForward(
  layout: LogLayout,
  key: string,
  source: LogSource,
  from: LogPlace,
): Promise<{ entries: LogEntry[]; next: LogPlace }> {
  const file = await nullIfMissing(open(layout.file(key, source, from.hour)))
  if (file) {
    try {
      const { size } = await file.stat()
      const end = Math.min(size, from.offset + pageBytes)
      const read = splitLines(await readBytes(file, from.offset, end), from.offset)
      const entries = entriesOf(read.lines, from.hour)
      if (read.end > from.offset) return { entries, next: { ...from, offset: read.end } }
    } finally {
      await file.close()
    }
  }
  if (hourOf(Date.now() - lateFlushMs) <= from.hour) return { entries: [], next: from }
  const later = (await hoursOf(layout, key, source)).find((hour) => hour > from.hour)
  return { entries: [], next: later === undefined ? from : { hour: later, offset: 0 } }
}

export async function placeAfter(
  layout: LogLayout,
  key: string,
  source: LogSource,
  place: LogPlace,
): Promise<LogPlace> {
  const file = await nullIfMissing(open(layout.file(key, source, place.hour)))
  if (!file) return place
  try {
    const bytes = await readBytes(file, place.offset, place.offset + blockBytes)
    const end = bytes.indexOf(newline)
    return end === -1 ? place : { ...place, offset: place.offset + end + 1 }
  } finally {
    await file.close()
  }
}
