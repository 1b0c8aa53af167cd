import { formatDate, formatRelativeTime, getLocale } from '@slipway/phrases'
import { useEffect, useState } from 'react'
import { refreshDelay } from './relative-time.ts'

/** A time as "3 hours ago", updated while it is shown, with the exact time on hover. */
export function RelativeTime({
  value,
  seconds,
}: {
  /** In ISO 8601. */
  value: string
  /** Counts the seconds of the first minute. */
  seconds?: boolean
}) {
  const time = Date.parse(value)
  const locale = getLocale()
  const [now, setNow] = useState(() => Date.now())
  // Its format costs about ten milliseconds to create: too much for a text that few ask for.
  const [exactTime, setExactTime] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), refreshDelay(time, now, seconds))
    return () => clearTimeout(timer)
  }, [time, now, seconds])

  return (
    <time
      dateTime={value}
      title={exactTime}
      onPointerEnter={() => setExactTime(formatDate(time, locale, 'exactTime'))}
    >
      {formatRelativeTime(time, Math.max(now, Date.now()), locale, seconds)}
    </time>
  )
}
