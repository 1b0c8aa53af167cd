import { formatPercent, type Locale } from '@slipway/phrases'

/** Shows each percent on one line of a terminal, or each quarter in a log, such as a build's. */
const step = (isTerminal: boolean) => (isTerminal ? 1 : 25)

/** A smaller upload ends so soon that a build's log needs no progress. */
const minLoggedBytes = 10_000_000

export type ProgressOutput = { isTTY?: boolean; write(text: string): unknown }

/** Shows how much of `total` bytes is done. `end` ends its line before other text. */
export function createProgress(output: ProgressOutput, total: number, locale: Locale) {
  const isTerminal = output.isTTY === true
  let shown = 0
  let isLineOpen = false
  const end = () => {
    if (isLineOpen) output.write('\n')
    isLineOpen = false
    shown = 0
  }
  return {
    show(bytes: number) {
      const percent = Math.floor((100 * bytes) / Math.max(1, total))
      const reached = percent - (percent % step(isTerminal))
      if (reached <= shown || (!isTerminal && total < minLoggedBytes)) return
      shown = reached
      const text = formatPercent(reached / 100, locale)
      output.write(isTerminal ? `\r${text}` : `${text}\n`)
      isLineOpen = isTerminal
    },
    end,
  }
}
