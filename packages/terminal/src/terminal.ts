import { styleText } from 'node:util'
import { formatDate, formatRelativeTime, type Locale } from '@slipway/phrases'

/** How a command formats its output. */
export type Terminal = {
  locale: Locale
  /** Columns of a line; infinite where the output is not a terminal. */
  columns: number
  /** Styles a text; plain where the output is not a terminal or NO_COLOR is set. */
  style(format: 'bold' | 'dim' | 'yellow', text: string): string
  /** A time such as "3 hours ago", or its date from a week on. `time` is ISO 8601. */
  ago(time: string): string
  /** A date and time to the minute. `time` is ISO 8601. */
  exact(time: string): string
}

export function createTerminal(output: NodeJS.WriteStream, locale: Locale): Terminal {
  return {
    locale,
    columns: output.isTTY ? output.columns || 80 : Number.POSITIVE_INFINITY,
    style: (format, text) => styleText(format, text, { stream: output }),
    exact: (time) => formatDate(time, locale, 'shortDateTime'),
    ago: (time) => formatRelativeTime(Date.parse(time), Date.now(), locale),
  }
}
