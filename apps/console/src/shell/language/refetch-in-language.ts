import { useEffect, useRef } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { useLocale } from './locale.ts'

/** Asks again for what is held when the language changes: the server names regions and products in it. */
export function useRefetchInLanguage() {
  const locale = useLocale()
  const asked = useRef(locale)
  useEffect(() => {
    if (asked.current === locale) return
    asked.current = locale
    void queryClient.invalidateQueries()
  }, [locale])
}
