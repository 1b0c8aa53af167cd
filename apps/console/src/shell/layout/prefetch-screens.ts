import { second } from '@slipway/contract/limits'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preloadOverlays } from './overlays.tsx'

/** What people do first on a page goes before. */
const delay = 3 * second

/** Where each byte counts (Network Information API; browsers that do not tell have none of it). */
function isSparing() {
  const { connection } = navigator as {
    connection?: { saveData?: boolean; effectiveType?: string }
  }
  return Boolean(connection?.saveData || /2g|3g/.test(connection?.effectiveType ?? ''))
}

/**
 * Loads the code of the other screens behind the login while the browser has nothing else to do, so that
 * they open at once, and without the network too.
 */
export function useScreensPrefetched(pageHasLoaded: boolean) {
  const router = useRouter()
  useEffect(() => {
    if (!pageHasLoaded || isSparing()) return
    async function prefetch() {
      for (const { id, options } of Object.values(router.routesById)) {
        const screen: { preload?: () => Promise<void> | undefined } | undefined = options.component
        if (id.startsWith('/app-layout')) await screen?.preload?.()
      }
      // Whoever needs them is told where they cannot be had.
      await preloadOverlays().catch(() => undefined)
    }
    const timer = setTimeout(prefetch, delay)
    return () => clearTimeout(timer)
  }, [pageHasLoaded, router])
}
