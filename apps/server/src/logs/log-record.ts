import { stripVTControlCharacters } from 'node:util'
import type { LogEntry, LoggedRequest } from '@slipway/contract/logs'
import { cacheLast } from './cache-last.ts'

/** A line of a log; `time` in milliseconds. */
export type LogRecord =
  | { time: number; text: string }
  | { time: number; request: LoggedRequest }
  | { time: number; dropped: number }

/**
 * Maximum lines of a program's output that are handled at once, because millions of short lines
 * would block the server for seconds.
 */
export const maxLinesAtOnce = 2_000

/** The longest line, in characters; longer output is split. */
const maxTextLength = 4096

// biome-ignore lint/suspicious/noControlCharactersInRegex: it replaces them.
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f]/g

const cleanText = (text: string): string =>
  stripVTControlCharacters(text.replace(/\r$/, '')).replace(controlCharacters, '�')

/**
 * Printed text as PostgreSQL stores it: without escape sequences, control characters but tabs and
 * newlines, and halves of characters that a cut leaves.
 */
export const cleanOutput = (output: string): string =>
  output.split('\n').map(cleanText).join('\n').toWellFormed()

/** The texts of a printed line: cleaned, and split where it is too long. */
export function* textsOf(line: string): Generator<string> {
  const text = cleanText(line)
  for (let start = 0; start < text.length || start === 0; start += maxTextLength)
    yield text.slice(start, start + maxTextLength)
}

/** A line with its newline. The names are short: a busy site has millions of lines. */
export const writeRecord = (record: LogRecord): string => {
  const { time } = record
  if ('text' in record) return `${JSON.stringify({ t: time, x: record.text })}\n`
  if ('dropped' in record) return `${JSON.stringify({ t: time, n: record.dropped })}\n`
  const { method, host, path, status, bytes, duration, referrer, agent } = record.request
  // Not by JSON.stringify, which takes four times as long: a gateway writes a line per request.
  return `{"t":${time},"m":${quoteMethod(method)},"h":${quoteHost(host)},"p":${quote(path)},"s":${status},"b":${bytes},"d":${duration}${
    referrer === null ? '' : `,"r":${quoteReferrer(referrer)}`
  }${agent === null ? '' : `,"a":${quoteAgent(agent)}`}}\n`
}

// All other characters need no escape in JSON.
const needsEscape = /[^ !#-[\]-~]/

const quote = (text: string) => (needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`)

export const readRecord = (line: string, position: string): LogEntry | undefined => {
  try {
    return toEntry(JSON.parse(line), position)
  } catch {
    // A line that a crash truncated is no JSON, or has no valid time.
    return undefined
  }
}

type StoredLine = {
  t: number
  x?: string
  n?: number
  m?: string
  h: string
  p: string
  s: number
  b: number
  d: number
  r?: string
  a?: string
}

const toEntry = (line: StoredLine, position: string): LogEntry => ({
  position,
  time: new Date(line.t).toISOString(),
  text: line.x ?? null,
  request:
    line.m === undefined
      ? null
      : {
          method: line.m,
          host: line.h,
          path: line.p,
          status: line.s,
          bytes: line.b,
          duration: line.d,
          referrer: line.r ?? null,
          agent: line.a ?? null,
        },
  dropped: line.n ?? null,
})

const [quoteMethod, quoteHost] = [cacheLast(quote), cacheLast(quote)]
const [quoteReferrer, quoteAgent] = [cacheLast(quote), cacheLast(quote)]
