import { m } from '@slipway/phrases'
import { useEffect, useSyncExternalStore } from 'react'
import { useOnDemand } from '../../ui/on-demand.ts'
import { useLocale } from '../language/locale.ts'
import { clearToasts, currentToasts, subscribeToToasts } from './toasts.ts'

const loadList = () => import('./toast-list.tsx')

/**
 * The live region of the toasts, which stack at the top right below the navigation. It is inside
 * the navigation's `header`, so that it lies in a landmark.
 */
export function Toaster() {
  useLocale()
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts)
  const list = useOnDemand(loadList)
  useEffect(() => {
    if (toasts.length > 0) list.preload()
  }, [toasts, list.preload])
  // The next user of this device must not see them.
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
