export type Measurement = {
  measure: string
  /** With the range of the rounds. */
  value: string
  budget?: string
  met?: boolean
  /** The ratio to a baseline of the same run. */
  ratio?: string
}

export const milliseconds = (ms: number) =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
export const microseconds = (ms: number) => `${Math.round(ms * 1000)} µs`
export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(2)} KB`
export const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
export const times = (value: number) => `${value.toFixed(2)}x`
export const perSecond = (value: number) => `${Math.round(value)}/s`

export const print = (text: string) => process.stdout.write(`${text}\n`)

/** Prints a Markdown table. The process fails if a budget is not met. */
export function printMeasurements(measurements: readonly Measurement[]) {
  if (measurements.some(({ met }) => met === false)) process.exitCode = 1
  const rows = measurements.map(({ measure, value, budget = '', met, ratio = '' }) => [
    measure,
    value,
    budget,
    met === undefined ? '' : met ? 'met' : 'NOT MET',
    ratio,
  ])
  const head = ['measure', 'value', 'budget', '', 'ratio']
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  print(line(head))
  print(line(widths.map((width) => '-'.repeat(width))))
  for (const row of rows) print(line(row))
}
