import { formatDate, formatRelativeTime, getLocale } from '@slipway/phrases'
import { useEffect, useState } from 'react'
import { refreshDelay } from './relative-time.ts'

/** A time as "3 hours ago", updated while it is shown, with the exact time on hover. ISO 8601. */
export function RelativeTime({ value }: { value: string }) {
  const time = Date.parse(value)
  const locale = getLocale()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), refreshDelay(time, now))
    return () => clearTimeout(timer)
  }, [time, now])

  return (
    <time dateTime={value} title={formatDate(time, locale, 'exactTime')}>
      {formatRelativeTime(time, Math.max(now, Date.now()), locale)}
    </time>
  )
}
