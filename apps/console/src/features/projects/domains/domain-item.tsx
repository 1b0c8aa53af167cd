import { domainStatus, isConnected, isSecure } from '@slipway/contract/domain-status'
import type { DomainRole, ProjectDomain } from '@slipway/contract/domains'
import type { Project } from '@slipway/contract/projects'
import { siteOrigin } from '@slipway/contract/site-url'
import { m } from '@slipway/phrases'
import Globe from 'lucide-react/icons/globe'
import Lock from 'lucide-react/icons/lock'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { projectStates, shownState } from '../project-states.ts'
import { DomainMenu } from './domain-menu.tsx'
import { domainStates } from './domain-states.ts'
import { DomainTimeline } from './domain-timeline.tsx'

/** What a domain does. `primary` is the primary domain as people write it. */
const roleTexts: Record<DomainRole, (primary: string) => string> = {
  primary: () => m.domains_role_primary(),
  alias: () => m.domains_role_alias(),
  redirect: (host) => m.domains_role_redirect({ host }),
}

/** The name; a link once visitors reach the site there. */
function Host({ project, domain }: { project: Project; domain: ProjectDomain }) {
  const { displayHost, host, state } = domain
  if (state !== 'active' || projectStates[shownState(project)].noSiteReason) return displayHost
  const address = { domain: host, domainState: state, secure: isSecure(domain) }
  return (
    <ExternalLink href={`${siteOrigin({ ...project, ...address })}/`} newTab={m.shell_new_tab()}>
      {displayHost}
    </ExternalLink>
  )
}

/** A domain of a project with its state, its role, its menu and its way to a certificate. */
export function DomainItem({
  project,
  domain,
  primary,
  isNew,
}: {
  project: Project
  domain: ProjectDomain
  /** The primary domain as people write it; undefined without one. */
  primary: string | undefined
  /** It was just added here. */
  isNew: boolean
}) {
  const { displayHost, host, role } = domain
  const { label, tone, icon } = domainStates[domainStatus(domain)]
  const heading = useRef<HTMLHeadingElement>(null)
  // Only the first state counts: a timeline that closes by itself would move the page.
  const [isOpenAtFirst] = useState(!isConnected(domain))
  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])
  const facts = [
    roleTexts[role](primary ?? ''),
    isSecure(domain) && m.domains_secure(),
    host !== displayHost && m.domains_ascii({ host }),
  ].filter((fact) => typeof fact === 'string')
  const [Icon, color] = isSecure(domain) ? [Lock, 'text-success'] : [Globe, 'text-muted']
  return (
    <li className="grid gap-3 p-4 sm:px-6">
      <div className="flex items-start justify-between gap-4">
        <div className="flex min-w-0 gap-3">
          <Icon className={`mt-0.5 size-4 shrink-0 ${color}`} aria-hidden />
          <div className="grid min-w-0 gap-1">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h2 ref={heading} tabIndex={-1} className="font-medium wrap-anywhere">
                <Host project={project} domain={domain} />
              </h2>
              <Badge tone={tone} icon={icon}>
                {label()}
              </Badge>
            </div>
            <p className="text-muted wrap-anywhere">{facts.join(' · ')}</p>
          </div>
        </div>
        {projectStates[project.state].isEditable && (
          <DomainMenu changed={{ project, domain }} primary={primary} />
        )}
      </div>
      <details open={isOpenAtFirst || isNew} className="sm:ml-7">
        <summary className="w-fit cursor-pointer rounded-md text-muted hover:text-fg pointer-coarse:py-3">
          {m.domains_steps()}
        </summary>
        <div className="pt-3">
          <DomainTimeline domain={domain} />
        </div>
      </details>
    </li>
  )
}
