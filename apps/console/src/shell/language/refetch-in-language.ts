import { useEffect, useRef } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { useLocale } from './locale.ts'

/** Refetches all queries when the language changes: the server translates regions and products. */
export function useRefetchInLanguage() {
  const locale = useLocale()
  const fetchedLocale = useRef(locale)
  useEffect(() => {
    if (fetchedLocale.current === locale) return
    fetchedLocale.current = locale
    void queryClient.invalidateQueries()
  }, [locale])
}
