import { getLocale, type Locale } from '@slipway/phrases'
import { useState } from 'react'
import { localDate, localTime } from '../../../shell/time/local-date.ts'

/** Writes moments in the language that is chosen; a browser takes long to make such a format. */
function inStyle(style: Intl.DateTimeFormatOptions) {
  const formats: Partial<Record<Locale, Intl.DateTimeFormat>> = {}
  return (at: number | Date) => {
    const locale = getLocale()
    formats[locale] ??= new Intl.DateTimeFormat(locale, style)
    return formats[locale].format(at)
  }
}

/** A day as it stands between the messages. */
export const dayName = (date: Date) => localDate(date.getTime(), getLocale(), 'long')

/** A day and the time on it. */
export const dayAndTime = inStyle({ dateStyle: 'long', timeStyle: 'short' })

const exactTime = inStyle({ dateStyle: 'long', timeStyle: 'medium' })

/** The time of day, with all of it on hover. `value` is ISO 8601. */
export function ClockTime({ value }: { value: string }) {
  const at = new Date(value)
  const [isHovered, setIsHovered] = useState(false)
  return (
    <time
      dateTime={value}
      title={isHovered ? exactTime(at) : undefined}
      onPointerEnter={() => setIsHovered(true)}
    >
      {localTime(at.getTime(), getLocale())}
    </time>
  )
}
