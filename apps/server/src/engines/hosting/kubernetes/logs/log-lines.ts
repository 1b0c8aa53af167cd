/** A line that a container printed, as the API server sends it with its time. */
export type PrintedLine = {
  /** The time with nanoseconds (RFC 3339), from which the next request continues. */
  timestamp: string
  /** In milliseconds. */
  time: number
  text: string
}

/** A line whose text is longer is passed on in parts. */
const maxLineLength = 64 * 1024

const timestamped = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) (.*)$/s

/** Splits chunks into lines with their times. */
export function createLineReader() {
  let unfinished = ''
  let lastTime: Pick<PrintedLine, 'timestamp' | 'time'> | null = null

  function parse(line: string): PrintedLine[] {
    const [, timestamp, text] = timestamped.exec(line) ?? []
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
    if (timestamp !== undefined && text !== undefined && !Number.isNaN(time)) {
      lastTime = { timestamp, time }
      return [{ timestamp, time, text }]
    }
    // A later part of a long line has the time of its line.
    return lastTime === null ? [] : [{ ...lastTime, text: line }]
  }

  return (chunk: string): PrintedLine[] => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    if (unfinished.length > maxLineLength) {
      lines.push(unfinished)
      unfinished = ''
    }
    return lines.flatMap(parse)
  }
}
