import { domainStatus, isSecure } from '@slipway/contract/domain-status'
import type { DomainRole, ProjectDomain } from '@slipway/contract/domains'
import { type Project, shownState } from '@slipway/contract/projects'
import { siteOrigin } from '@slipway/contract/site-url'
import { m } from '@slipway/phrases'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Globe from 'lucide-react/icons/globe'
import Lock from 'lucide-react/icons/lock'
import { useEffect, useId, useRef, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { projectStates } from '../project-states.ts'
import { DomainMenu } from './domain-menu.tsx'
import { domainStates } from './domain-states.ts'
import { DomainTimeline } from './domain-timeline.tsx'

/** The effect of each role. `primary` is the primary domain in Unicode. */
const roleTexts: Record<DomainRole, (primary: string) => string> = {
  primary: () => m.domains_role_primary(),
  alias: () => m.domains_role_alias(),
  redirect: (host) => m.domains_role_redirect({ host }),
}

/** The name of a domain; a link once it leads to the site. */
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

/** A domain of a project: a line with name, state, role and menu. Its steps open below. */
export function DomainItem({
  project,
  domain,
  primary,
  isOpenAtFirst,
  isNew,
}: {
  project: Project
  domain: ProjectDomain
  /** The primary domain in Unicode; undefined without one. */
  primary: string | undefined
  /** Whether the steps are open at first. Later changes do not close them: the page would move. */
  isOpenAtFirst: boolean
  /** True if the user has just added the domain on this page. */
  isNew: boolean
}) {
  const { displayHost, host, role } = domain
  const { label, tone, icon } = domainStates[domainStatus(domain)]
  const heading = useRef<HTMLHeadingElement>(null)
  const [isOpen, setOpen] = useState(isOpenAtFirst || isNew)
  const stepsId = useId()
  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])
  const facts = [
    roleTexts[role](primary ?? ''),
    host !== displayHost && m.domains_ascii({ host }),
  ].filter((fact) => typeof fact === 'string')
  const [Icon, color] = isSecure(domain) ? [Lock, 'text-success'] : [Globe, 'text-muted']
  return (
    <li className="px-4 py-3 sm:px-6 sm:py-2">
      {/* On a phone the buttons are beside the name, and state and role on a line below. */}
      <div className="relative flex gap-3 sm:min-h-9 sm:items-center">
        <Icon className={`size-4 shrink-0 max-sm:mt-0.5 ${color}`} aria-hidden />
        {isSecure(domain) && <VisuallyHidden>{m.domains_secure()}</VisuallyHidden>}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <h2
            ref={heading}
            tabIndex={-1}
            className="font-medium wrap-anywhere max-sm:w-full max-sm:pr-24"
          >
            <Host project={project} domain={domain} />
          </h2>
          <Badge tone={tone} icon={icon}>
            {label()}
          </Badge>
          <span className="min-w-0 text-muted wrap-anywhere max-sm:text-xs sm:ml-auto">
            {facts.map((fact, index) => (
              // A line for each, rather than a break at the hyphens of "xn--".
              <span key={fact} className="inline-block">
                {fact}
                {index < facts.length - 1 && '\u00a0·\u00a0'}
              </span>
            ))}
          </span>
        </div>
        <div className="flex shrink-0 max-sm:absolute max-sm:-top-3 max-sm:right-0">
          <IconButton
            icon={isOpen ? ChevronUp : ChevronDown}
            label={m.domains_steps_of({ host: displayHost })}
            tooltip={m.domains_steps()}
            aria-expanded={isOpen}
            aria-controls={stepsId}
            onClick={() => setOpen(!isOpen)}
          />
          {projectStates[project.state].isEditable && (
            <DomainMenu domainOfProject={{ project, domain }} primary={primary} />
          )}
        </div>
      </div>
      <div
        id={stepsId}
        hidden={!isOpen}
        className="max-sm:-mx-4 max-sm:mt-3 max-sm:-mb-3 max-sm:border-t max-sm:border-line max-sm:bg-canvas max-sm:p-4 sm:ml-7 sm:py-2"
      >
        {isOpen && <DomainTimeline domain={domain} />}
      </div>
    </li>
  )
}
