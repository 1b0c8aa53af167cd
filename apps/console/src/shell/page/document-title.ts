import { useEffect } from 'react'

export const brandName = 'Slipway'

/**
 * Sets the document's title: the page first, as tabs truncate the end, then `within`, the pages
 * above it, the nearest first. Null leaves the title as it is.
 */
export function useDocumentTitle(title: string | null, within: readonly string[] = []) {
  const documentTitle = title === null ? null : [title, ...within, brandName].join(' · ')
  useEffect(() => {
    if (documentTitle !== null) document.title = documentTitle
  }, [documentTitle])
}
