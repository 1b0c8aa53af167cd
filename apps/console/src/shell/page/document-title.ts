import { useEffect } from 'react'

export const brandName = 'Slipway'

/**
 * Names the page in the tab and to screen readers: the page first, as tabs cut the end, then what it lies
 * `within`, from the inside out. Null leaves the name to who else knows it.
 */
export function useDocumentTitle(title: string | null, within: readonly string[] = []) {
  const whole = title === null ? null : [title, ...within, brandName].join(' · ')
  useEffect(() => {
    if (whole !== null) document.title = whole
  }, [whole])
}
