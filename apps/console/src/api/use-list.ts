import type { Endpoint, ResponseOf } from '@slipway/contract/endpoint'
import { getLocale } from '@slipway/phrases'
import { useEffect, useState } from 'react'
import { call } from './client.ts'

/**
 * A list in the current language, for pages without the query client: undefined until it has
 * loaded, empty if it fails to.
 */
export function useList<E extends Endpoint>(endpoint: E) {
  const [list, setList] = useState<ResponseOf<E> | []>()
  const locale = getLocale()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request has the language
  useEffect(() => {
    const controller = new AbortController()
    call(endpoint as never, undefined as never, controller.signal).then(setList, () => setList([]))
    return () => controller.abort()
  }, [endpoint, locale])
  return list
}
