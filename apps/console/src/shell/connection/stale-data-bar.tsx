import { formatDate, m } from '@slipway/phrases'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useRef } from 'react'
import { useLocale } from '../language/locale.ts'
import { showToast } from '../toasts/toasts.ts'
import { useIsOnline } from './online.ts'
import { useStaleSince } from './stale-since.ts'

/** Says below the navigation since when the data may be stale; a toast reports the reconnect. */
export function StaleDataBar() {
  const locale = useLocale()
  const isOnline = useIsOnline()
  const since = useStaleSince()
  const wasStale = useRef(false)
  useEffect(() => {
    if (wasStale.current && since === null) showToast('success', m.connection_back())
    wasStale.current = since !== null
  }, [since])

  const text = isOnline ? m.connection_lost : m.connection_offline
  return (
    // A screen reader announces only text that is added to an existing status.
    <div role="status">
      {since !== null && (
        <div className="border-t border-line bg-danger-soft">
          <p className="mx-auto flex max-w-6xl items-start gap-2 px-4 py-2 sm:px-6">
            <WifiOff className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
            {text({ time: formatDate(since, locale, 'time') })}
          </p>
        </div>
      )}
    </div>
  )
}
