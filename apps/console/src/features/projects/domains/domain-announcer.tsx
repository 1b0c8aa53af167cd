import { domainStatus, isSecure } from '@slipway/contract/domain-status'
import type { DomainId, ProjectDomain } from '@slipway/contract/domains'
import { formatList, getLocale, m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { domainStates } from './domain-states.ts'

export const stateText = (domain: ProjectDomain) => {
  const host = domain.displayHost
  return isSecure(domain)
    ? m.domains_announcement_secure({ host })
    : m.domains_announcement({ host, state: domainStates[domainStatus(domain)].label() })
}

/** Announces state changes of domains to screen readers, such as a new certificate. */
export function DomainAnnouncer({ domains }: { domains: readonly ProjectDomain[] }) {
  const announced = useRef(new Map<DomainId, string>())
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    const texts: string[] = []
    for (const domain of domains) {
      const text = stateText(domain)
      const previous = announced.current.get(domain.id)
      announced.current.set(domain.id, text)
      if (previous !== undefined && previous !== text) texts.push(text)
    }
    if (texts.length > 0) setAnnouncement(formatList(texts, getLocale(), 'narrow'))
  }, [domains])

  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  )
}
