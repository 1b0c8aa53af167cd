import { useEffect } from 'react'

export const brandName = 'Slipway'

/** Names the page in the tab and to screen readers. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${brandName}`
  }, [title])
}
