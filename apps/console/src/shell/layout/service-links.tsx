import { listServiceLinks, type ServiceLink } from '@slipway/contract/service-links'
import type { Locale } from '@slipway/phrases'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { useLocale } from '../language/locale.ts'

/** One request for each language. */
const requests = new Map<Locale, Promise<ServiceLink[]>>()

function requestLinks(locale: Locale) {
  const request =
    requests.get(locale) ??
    call(listServiceLinks).catch(() => {
      requests.delete(locale)
      return []
    })
  requests.set(locale, request)
  return request
}

/** The pages about the service; none until they have loaded, or if they fail to. */
export function useServiceLinks() {
  const locale = useLocale()
  const [links, setLinks] = useState<ServiceLink[]>([])
  useEffect(() => {
    let isCurrent = true
    void requestLinks(locale).then((loaded) => isCurrent && setLinks(loaded))
    return () => {
      isCurrent = false
    }
  }, [locale])
  return links
}

/** The line of links at the end of every page. Its height is reserved. */
export const ServiceLinks = () => (
  <ul className="control-height flex flex-wrap justify-center gap-x-2 text-xs text-muted">
    {useServiceLinks().map(({ id, name, url }) => (
      <li key={id}>
        <a
          href={url}
          className="control-height inline-flex items-center rounded-md px-2 transition-colors hover:text-fg"
        >
          {name}
        </a>
      </li>
    ))}
  </ul>
)
