import { getLocale } from '@slipway/phrases'
import { useEffect, useState } from 'react'
import { refreshDelay, relativeTime } from './relative-time.ts'

const exactTime = (at: number, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium' }).format(at)

/** How long ago something was, kept up to date, or its date; the exact time on hover. `value` is ISO 8601. */
export function RelativeTime({ value }: { value: string }) {
  const at = Date.parse(value)
  const locale = getLocale()
  const [now, setNow] = useState(() => Date.now())
  // A browser takes longer to make its first date format than the page takes to render.
  const [isHovered, setIsHovered] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), refreshDelay(at, now))
    return () => clearTimeout(timer)
  }, [at, now])

  return (
    <time
      dateTime={value}
      title={isHovered ? exactTime(at, locale) : undefined}
      onPointerEnter={() => setIsHovered(true)}
    >
      {relativeTime(at, Math.max(now, Date.now()), locale)}
    </time>
  )
}
