import { styleText } from 'node:util'
import { day, hour, minute } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'

/** Where a command writes to, and how. */
export type Terminal = {
  locale: Locale
  /** How wide lines may be; infinite where a program reads them. */
  columns: number
  /** Styles show on a terminal alone, and not where NO_COLOR is set. */
  style(how: 'bold' | 'dim' | 'yellow', text: string): string
  /** A time as people say it: "3 hours ago", and the date from a week on. */
  ago(time: string): string
  /** A time to the minute. */
  exact(time: string): string
}

export function createTerminal(output: NodeJS.WriteStream, locale: Locale): Terminal {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return {
    locale,
    columns: output.isTTY ? output.columns || 80 : Number.POSITIVE_INFINITY,
    style: (how, text) => styleText(how, text, { stream: output }),
    exact: (time) => dateTime.format(Date.parse(time)),
    ago(time) {
      const at = Date.parse(time)
      const past = Date.now() - at
      if (past >= 7 * day || past <= -hour) return date.format(at)
      if (past < minute) return m.time_now({}, { locale })
      if (past < hour) return m.time_minutes_ago({ count: Math.trunc(past / minute) }, { locale })
      if (past < day) return m.time_hours_ago({ count: Math.trunc(past / hour) }, { locale })
      if (past < 2 * day) return m.time_yesterday({}, { locale })
      return m.time_days_ago({ count: Math.trunc(past / day) }, { locale })
    },
  }
}
