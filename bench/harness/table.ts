/** One row: what was measured, its figure, its budget and its ratio to a baseline. */
export type Figure = {
  measure: string
  /** The figure, with the range of its rounds. */
  figure: string
  budget?: string
  met?: boolean
  /** The figure in relation to a baseline of the same run. */
  ratio?: string
}

export const milliseconds = (value: number) =>
  value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`
export const microseconds = (value: number) => `${Math.round(value * 1000)} µs`
export const seconds = (value: number) => `${(value / 1000).toFixed(2)} s`
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(2)} KB`
export const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
export const times = (value: number) => `${value.toFixed(2)}x`
export const perSecond = (value: number) => `${Math.round(value)}/s`

export const print = (text: string) => process.stdout.write(`${text}\n`)

/** Prints the figures as a Markdown table. */
export function printFigures(figures: readonly Figure[]) {
  const rows = figures.map(({ measure, figure, budget = '', met, ratio = '' }) => [
    measure,
    figure,
    budget,
    met === undefined ? '' : met ? 'met' : 'NOT MET',
    ratio,
  ])
  const head = ['measure', 'figure', 'budget', '', 'ratio']
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  print(line(head))
  print(line(widths.map((width) => '-'.repeat(width))))
  for (const row of rows) print(line(row))
}
