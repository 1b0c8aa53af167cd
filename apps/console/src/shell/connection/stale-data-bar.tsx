import { formatDate, m } from '@slipway/phrases'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useRef } from 'react'
import { useLocale } from '../language/locale.ts'
import { showToast } from '../toasts/toasts.ts'
import { useIsOnline } from './online.ts'
import { useStaleSince } from './stale-since.ts'

/** Says below the navigation that what the pages show may be old, and since when; a toast says that it is over. */
export function StaleDataBar() {
  const locale = useLocale()
  const isOnline = useIsOnline()
  const since = useStaleSince()
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && since === null) showToast('success', m.connection_back())
    wasAway.current = since !== null
  }, [since])

  const text = isOnline ? m.connection_lost : m.connection_offline
  return (
    // There before its text is: else a screen reader would not hear of it.
    <div role="status">
      {since !== null && (
        <p className="flex items-center justify-center gap-2 border-t border-line bg-danger-soft px-4 py-1.5 text-center">
          <WifiOff className="size-4 shrink-0 text-danger" aria-hidden />
          {text({ time: formatDate(since, locale, 'time') })}
        </p>
      )}
    </div>
  )
}
