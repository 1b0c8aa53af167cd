import { second } from '@slipway/contract/limits'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preloadOverlays } from './overlays.tsx'

/** During this time the network is free for the user's first actions. */
const delay = 3 * second

/** Whether the user saves data (Network Information API; some browsers lack it). */
function isSavingData() {
  const { connection } = navigator as {
    connection?: { saveData?: boolean; effectiveType?: string }
  }
  return Boolean(connection?.saveData || /2g|3g/.test(connection?.effectiveType ?? ''))
}

/**
 * Preloads the chunks of the other screens of a signed-in user, so that they open at once and
 * offline.
 */
export function useScreensPrefetched(pageHasLoaded: boolean) {
  const router = useRouter()
  useEffect(() => {
    if (!pageHasLoaded || isSavingData()) return
    async function preload() {
      for (const { id, options } of Object.values(router.routesById)) {
        const screen: { preload?: () => Promise<void> | undefined } | undefined = options.component
        if (id.startsWith('/app-layout')) await screen?.preload?.()
      }
      // A failure is reported where the overlay is opened.
      await preloadOverlays().catch(() => undefined)
    }
    const timer = setTimeout(preload, delay)
    return () => clearTimeout(timer)
  }, [pageHasLoaded, router])
}
