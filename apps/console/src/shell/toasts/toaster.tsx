import { m } from '@slipway/phrases'
import { useEffect, useSyncExternalStore } from 'react'
import { useOnDemand } from '../../ui/on-demand.ts'
import { useLocale } from '../language/locale.ts'
import { clearToasts, currentToasts, subscribeToToasts } from './toasts.ts'

const loadList = () => import('./toast-list.tsx')

/**
 * The place of the toasts, at the top right: a screen reader hears what comes into it. They lie over the
 * navigation, which this stands in: whatever a page can do stays free to press, scrolled or not.
 */
export function Toaster() {
  useLocale()
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts)
  const list = useOnDemand(loadList)
  useEffect(() => {
    if (toasts.length > 0) list.fetch()
  }, [toasts, list.fetch])
  // Who signs out takes them along: they are not for whoever comes next.
  useEffect(() => clearToasts, [])
  return (
    <section
      aria-label={m.shell_notifications()}
      aria-live="polite"
      className="pointer-events-none absolute inset-0 z-10"
    >
      {list.part && <list.part.Toasts toasts={toasts} />}
    </section>
  )
}
