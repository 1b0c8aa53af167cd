import { isChecked, isConnected } from '@slipway/contract/domain-status'
import { checkDomains, type DomainId, type ProjectDomain } from '@slipway/contract/domains'
import { type Project, shownState } from '@slipway/contract/projects'
import { formatList, getLocale, m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import Globe from 'lucide-react/icons/globe'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../forms/use-action.ts'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Button } from '../../../ui/button.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { projectStates } from '../project-states.ts'
import { AddDomain, AddDomainSkeleton } from './add-domain.tsx'
import { DomainAnnouncer, stateText } from './domain-announcer.tsx'
import { DomainItem } from './domain-item.tsx'
import { cacheDomains, useDomains } from './domain-queries.ts'

/** The head of the list: a button that checks the domains now, and one that adds another. */
function ListActions({
  project,
  domains,
  onAdd,
}: {
  project: Project
  domains: readonly ProjectDomain[]
  /** Undefined while the form is open. */
  onAdd: (() => void) | undefined
}) {
  const queryClient = useQueryClient()
  const [result, setResult] = useState('')
  const check = useAction(async () => {
    setResult('')
    const checked = await call(checkDomains, { params: { id: project.id } })
    cacheDomains(queryClient, project, checked)
    setResult(formatList(checked.map(stateText), getLocale(), 'narrow'))
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      {domains.some(isChecked) && !domains.every(isConnected) && (
        <p className="text-muted">{m.domains_next_check()}</p>
      )}
      <div className="ml-auto flex flex-wrap gap-2 max-sm:grid max-sm:w-full max-sm:auto-cols-fr max-sm:grid-flow-col">
        {domains.some(isChecked) && (
          <Button pending={check.pending} onClick={() => check.run()}>
            {m.domains_check_now()}
          </Button>
        )}
        {onAdd && (
          <Button icon={Plus} onClick={onAdd}>
            {m.domains_add()}
          </Button>
        )}
      </div>
      <span role="status" className="sr-only">
        {result}
      </span>
      {check.failure && (
        <p role="alert" className="w-full text-danger">
          {check.failure}
        </p>
      )}
    </div>
  )
}

/** The domains of a project, and the form that adds one, which is open if there is none. */
export function DomainList({ project }: { project: Project }) {
  const query = useDomains(project)
  const [newId, setNewId] = useState<DomainId | null>(null)
  const [isAdding, setAdding] = useState(false)
  const { isEditable } = projectStates[project.state]
  const primary = query.data?.find(({ role }) => role === 'primary')?.displayHost
  return (
    <QueryView
      query={query}
      item={m.domains_item_list()}
      loading={<DomainsSkeleton project={project} />}
      empty={isEditable ? undefined : <EmptyState title={m.domains_none()} />}
    >
      {(domains) => (
        <>
          <DomainAnnouncer domains={domains} />
          {isEditable && domains.length > 0 && (
            <ListActions
              project={project}
              domains={domains}
              onAdd={isAdding ? undefined : () => setAdding(true)}
            />
          )}
          {isEditable && (isAdding || domains.length === 0) && (
            <AddDomain
              project={project}
              primary={primary}
              onAdded={(id) => {
                setNewId(id)
                setAdding(false)
              }}
              onCancel={domains.length === 0 ? undefined : () => setAdding(false)}
            />
          )}
          <Domains project={project} domains={domains} primary={primary} newId={newId} />
        </>
      )}
    </QueryView>
  )
}

const listClass = 'divide-y divide-line rounded-md border border-line bg-surface'

/** The domains, and the default URL, which always leads to the site. */
function Domains({
  project,
  domains,
  primary,
  newId,
}: {
  project: Project
  domains: readonly ProjectDomain[]
  primary: string | undefined
  newId: DomainId | null
}) {
  // If several domains need work, only the first is open.
  const [openId] = useState(domains.find((domain) => !isConnected(domain))?.id)
  return (
    <ul aria-label={m.domains_list()} className={listClass}>
      {domains.map((domain) => (
        <DomainItem
          key={domain.id}
          project={project}
          domain={domain}
          primary={primary}
          isOpenAtFirst={domain.id === openId}
          isNew={domain.id === newId}
        />
      ))}
      <DefaultUrl project={project} />
    </ul>
  )
}

/** The shape of the list, or of the form that adds the first domain. */
export const DomainsSkeleton = ({ project }: { project?: Project }) =>
  project?.domain === null ? (
    <>
      <AddDomainSkeleton project={project} />
      <ul className={listClass}>
        <DefaultUrl project={project} />
      </ul>
    </>
  ) : (
    <>
      <div className="flex justify-end">
        <Skeleton className="w-full sm:w-28" height="control-height" />
      </div>
      <ul className={listClass}>
        <DomainSkeleton />
        {project ? <DefaultUrl project={project} /> : <DomainSkeleton />}
      </ul>
    </>
  )

const DomainSkeleton = () => (
  <li className="px-4 py-3 sm:px-6 sm:py-2">
    <div className="flex gap-3 sm:min-h-9 sm:items-center">
      <Skeleton className="w-4 shrink-0" shape="circle" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="max-sm:w-full">
          <Skeleton className="w-48" />
        </span>
        <Skeleton className="w-16" height="h-5" />
        <span className="sm:ml-auto">
          <Skeleton className="w-16" />
        </span>
      </div>
    </div>
  </li>
)

function DefaultUrl({ project }: { project: Project }) {
  const { defaultUrl } = project
  return (
    <li className="flex min-h-13 gap-3 px-4 py-3 sm:items-center sm:px-6 sm:py-2">
      <Globe className="size-4 shrink-0 text-muted max-sm:mt-0.5" aria-hidden />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        {/* On a phone the button is below the menus of the domains. */}
        <span className="max-sm:grid max-sm:w-full max-sm:*:justify-between">
          <CopyValue text={defaultUrl} label={m.projects_copy({ label: m.projects_default_url() })}>
            {projectStates[shownState(project)].noSiteReason ? (
              <span className="text-muted">{defaultUrl}</span>
            ) : (
              <ExternalLink href={defaultUrl} newTab={m.shell_new_tab()}>
                {defaultUrl}
              </ExternalLink>
            )}
          </CopyValue>
        </span>
        <span className="text-muted max-sm:text-xs sm:ml-auto">{m.projects_default_url()}</span>
      </div>
    </li>
  )
}
