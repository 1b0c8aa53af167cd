import { changeProjectDomain, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { call } from '../../../api/client.ts'
import { EditableField } from '../../../forms/editable-field.tsx'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { cacheProject } from '../project-queries.ts'
import { projectStates } from '../project-states.ts'
import { domainAdvice, normalizedDomain } from './domain-form.tsx'

const schema = z.object({ domain: normalizedDomain(changeProjectDomain.body.shape.domain) })

/** The custom domain, editable. */
export function ProjectDomain({ project }: { project: Project }) {
  const { id, domain, state, controllerDomain } = project
  const queryClient = useQueryClient()
  const shown = domain ? (
    <CopyValue text={domain} label={m.projects_copy({ label: m.projects_domain() })} />
  ) : (
    <span className="text-muted">{m.projects_no_domain()}</span>
  )
  if (!projectStates[state].isEditable) return shown
  return (
    <div className="grid gap-1">
      <EditableField
        schema={schema}
        name="domain"
        label={m.projects_domain()}
        value={domain ?? ''}
        advise={domainAdvice}
        placeholder="www.example.com"
        save={async (body) =>
          cacheProject(queryClient, await call(changeProjectDomain, { params: { id }, body }))
        }
      >
        {shown}
      </EditableField>
      {!domain && (
        <p className="text-muted">{m.projects_domain_invitation({ host: controllerDomain })}</p>
      )}
    </div>
  )
}
