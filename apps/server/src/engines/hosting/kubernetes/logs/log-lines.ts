/** A line that a container printed, as the API server sends it with its time. */
export type PrintedLine = {
  /**
   * The time with nanoseconds (RFC 3339), from which the next request continues: in UTC, so that
   * the texts of two times compare as the times do.
   */
  timestamp: string
  /** In milliseconds. */
  time: number
  text: string
}

/** A line whose text is longer is passed on in parts. */
const maxLineLength = 64 * 1024

/** The kubelet writes the offset of its node's time zone. */
const timestamped = /^(\d{4}-\d\d-\d\dT[\d:]+)(?:\.(\d+))?(Z|[+-]\d\d:\d\d) (.*)$/s

function timesOf(seconds: string, fraction: string, zone: string) {
  const nanoseconds = fraction.padEnd(9, '0')
  const time = Date.parse(`${seconds}.${nanoseconds}${zone}`)
  if (Number.isNaN(time)) return null
  return { timestamp: `${new Date(time).toISOString().slice(0, 19)}.${nanoseconds}Z`, time }
}

/** Splits chunks into lines with their times. */
export function createLineReader() {
  let unfinished = ''
  let lastTime: Pick<PrintedLine, 'timestamp' | 'time'> | null = null

  function parse(line: string): PrintedLine[] {
    const [, seconds = '', fraction = '', zone = '', text] = timestamped.exec(line) ?? []
    const times = timesOf(seconds, fraction, zone)
    if (times !== null && text !== undefined) {
      lastTime = times
      return [{ ...times, text }]
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
