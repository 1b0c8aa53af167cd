import { useEffect, useState } from 'react'
import { refreshDelay, relativeTime } from './relative-time.ts'

/** How long ago something was, kept up to date, or its date; the exact time on hover. `value` is ISO 8601. */
export function RelativeTime({ value, locale }: { value: string; locale: string }) {
  const at = Date.parse(value)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), refreshDelay(at, now))
    return () => clearTimeout(timer)
  }, [at, now])

  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium' })
  return (
    <time dateTime={value} title={exact.format(at)}>
      {relativeTime(at, Math.max(now, Date.now()), locale)}
    </time>
  )
}
