import { type ProjectDomain, updateDomain } from '@slipway/contract/domains'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { refetchDomains } from './domain-queries.ts'

export type DomainOfProject = { project: Project; domain: ProjectDomain }

async function change(
  queryClient: QueryClient,
  { project, domain }: DomainOfProject,
  body: Parameters<typeof call<typeof updateDomain>>[1]['body'],
  toast: string,
) {
  await call(updateDomain, { params: { id: project.id, domainId: domain.id }, body })
  await refetchDomains(queryClient, project)
  showToast('success', toast, domain.id)
}

const hostOf = ({ domain }: DomainOfProject) => ({ host: domain.displayHost })

export const makePrimary = (queryClient: QueryClient, domainOfProject: DomainOfProject) =>
  change(
    queryClient,
    domainOfProject,
    { role: 'primary' },
    m.domains_primary_toast(hostOf(domainOfProject)),
  )

export const makeAlias = (queryClient: QueryClient, domainOfProject: DomainOfProject) =>
  change(
    queryClient,
    domainOfProject,
    { role: 'alias' },
    m.domains_alias_toast(hostOf(domainOfProject)),
  )

/** `target` is the primary domain in Unicode. */
export const makeRedirect = (
  queryClient: QueryClient,
  domainOfProject: DomainOfProject,
  redirectStatus: 301 | 308,
  target: string,
) =>
  change(
    queryClient,
    domainOfProject,
    { role: 'redirect', redirectStatus },
    m.domains_redirect_toast({ ...hostOf(domainOfProject), target }),
  )

export const setHsts = (
  queryClient: QueryClient,
  domainOfProject: DomainOfProject,
  hsts: boolean,
) =>
  change(
    queryClient,
    domainOfProject,
    { hsts },
    hsts
      ? m.domains_hsts_on_toast(hostOf(domainOfProject))
      : m.domains_hsts_off_toast(hostOf(domainOfProject)),
  )
