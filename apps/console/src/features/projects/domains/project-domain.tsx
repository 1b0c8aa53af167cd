import { changeProjectDomain, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { EditableField } from '../../../forms/editable-field.tsx'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cacheProject } from '../project-queries.ts'
import { projectStates } from '../project-states.ts'
import { domainStates } from './domain-states.ts'

/** The link to the domains, with the state of the primary one unless it works. */
function DomainSummary({ project: { key, domainState: state } }: { project: Project }) {
  const { label, tone, icon } = domainStates[state ?? 'active']
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {state !== 'active' && (
        <Badge tone={tone} icon={icon}>
          {label()}
        </Badge>
      )}
      <TextLink to={paths.domains(key)}>
        {state === 'active' ? m.domains_manage() : m.domains_set_up()}
      </TextLink>
    </div>
  )
}

/** The primary domain, editable. */
export function ProjectDomain({ project }: { project: Project }) {
  const { id, key, displayDomain, state } = project
  const queryClient = useQueryClient()
  if (!projectStates[state].isEditable)
    return displayDomain ?? <span className="text-muted">{m.projects_no_domain()}</span>
  return (
    // Room for the outline of the focused field below the label.
    <div className="grid w-full gap-2 has-[input]:pt-1">
      <EditableField
        schema={changeProjectDomain.body}
        name="domain"
        label={m.projects_domain()}
        value={displayDomain ?? ''}
        placeholder="www.example.com"
        save={async (body) =>
          cacheProject(queryClient, await call(changeProjectDomain, { params: { id }, body }))
        }
      >
        {displayDomain ?? <TextLink to={paths.domains(key)}>{m.domains_connect()}</TextLink>}
      </EditableField>
      {displayDomain !== null && <DomainSummary project={project} />}
    </div>
  )
}
