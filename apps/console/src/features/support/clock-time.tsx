import { getLocale } from '@slipway/phrases'
import { useState } from 'react'

const clock = (at: Date) => new Intl.DateTimeFormat(getLocale(), { timeStyle: 'short' }).format(at)

/** A day as it stands between the messages. */
export const dayName = (date: Date) =>
  new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long' }).format(date)

/** A day and the time on it. */
export const dayAndTime = (at: number | Date) =>
  new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long', timeStyle: 'short' }).format(at)

const exactTime = (at: Date) =>
  new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long', timeStyle: 'medium' }).format(at)

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
      {clock(at)}
    </time>
  )
}
