import { type ProjectDomain, updateDomain } from '@slipway/contract/domains'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { refetchDomains } from './domain-queries.ts'

export type ChangedDomain = { project: Project; domain: ProjectDomain }

/** Changes the role of a domain and confirms it in a toast. */
async function change(
  queryClient: QueryClient,
  { project, domain }: ChangedDomain,
  body: Parameters<typeof call<typeof updateDomain>>[1]['body'],
  toast: string,
) {
  await call(updateDomain, { params: { id: project.id, domainId: domain.id }, body })
  await refetchDomains(queryClient, project)
  showToast('success', toast, domain.id)
}

const hostOf = ({ domain }: ChangedDomain) => ({ host: domain.displayHost })

export const makePrimary = (queryClient: QueryClient, changed: ChangedDomain) =>
  change(queryClient, changed, { role: 'primary' }, m.domains_primary_toast(hostOf(changed)))

export const makeAlias = (queryClient: QueryClient, changed: ChangedDomain) =>
  change(queryClient, changed, { role: 'alias' }, m.domains_alias_toast(hostOf(changed)))

/** `target` is the primary domain as people write it. */
export const makeRedirect = (
  queryClient: QueryClient,
  changed: ChangedDomain,
  redirectStatus: 301 | 308,
  target: string,
) =>
  change(
    queryClient,
    changed,
    { role: 'redirect', redirectStatus },
    m.domains_redirect_toast({ ...hostOf(changed), target }),
  )

export const setHsts = (queryClient: QueryClient, changed: ChangedDomain, hsts: boolean) =>
  change(
    queryClient,
    changed,
    { hsts },
    hsts ? m.domains_hsts_on_toast(hostOf(changed)) : m.domains_hsts_off_toast(hostOf(changed)),
  )
