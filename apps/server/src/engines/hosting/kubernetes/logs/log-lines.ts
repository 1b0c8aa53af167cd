/** A line that a container printed, as the API server sends it with its time. */
export type PrintedLine = {
  /** The time with nanoseconds (RFC 3339), from which the next request continues. */
  timestamp: string
  /** In milliseconds. */
  time: number
  text: string
}

/** The longest text without an end of line that is waited for. */
const maxLineLength = 64 * 1024

const timestamped = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) (.*)$/s

/** Splits what arrives into lines with their times. */
export function createLineReader() {
  let rest = ''
  let last: Pick<PrintedLine, 'timestamp' | 'time'> | null = null

  function parse(line: string): PrintedLine[] {
    const [, timestamp, text] = timestamped.exec(line) ?? []
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
    if (timestamp !== undefined && text !== undefined && !Number.isNaN(time)) {
      last = { timestamp, time }
      return [{ timestamp, time, text }]
    }
    // The rest of a line that was cut because of its length.
    return last === null ? [] : [{ ...last, text: line }]
  }

  return (chunk: string): PrintedLine[] => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineLength) {
      lines.push(rest)
      rest = ''
    }
    return lines.flatMap(parse)
  }
}
