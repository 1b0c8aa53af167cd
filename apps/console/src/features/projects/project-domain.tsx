import { changeProjectDomain, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../api/client.ts'
import { EditableField } from '../../forms/editable-field.tsx'
import { CopyValue } from '../../shell/copy-value.tsx'
import { showAnswered } from './project-queries.ts'
import { projectStates } from './project-states.ts'

/** The custom domain, which can be changed. */
export function ProjectDomain({ project }: { project: Project }) {
  const { id, domain, state, controllerDomain } = project
  const queryClient = useQueryClient()
  const shown = domain ?? <span className="text-muted">{m.projects_no_domain()}</span>
  if (!projectStates[state].editable) return shown
  return (
    <div className="grid gap-1">
      <EditableField
        schema={changeProjectDomain.body}
        name="domain"
        label={m.projects_domain()}
        value={domain ?? ''}
        placeholder="www.example.com"
        save={async (body) =>
          showAnswered(queryClient, await call(changeProjectDomain, { params: { id }, body }))
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

/** The CNAME record (RFC 1035 §3.3.1) to enter at the DNS provider, which leads the domain here. */
export const ExpectedRecord = ({ name, value }: { name: string; value: string }) => (
  <div className="grid gap-2 text-muted">
    <p>{m.projects_dns_explanation()}</p>
    <dl className="grid gap-x-8 gap-y-2 rounded-md sm:flex sm:flex-wrap border border-line bg-canvas px-3 py-2">
      <RecordPart label={m.projects_dns_type()}>CNAME</RecordPart>
      <RecordPart label={m.projects_dns_name()}>
        <CopyValue text={name} label={m.projects_copy({ label: m.projects_dns_name() })} />
      </RecordPart>
      <RecordPart label={m.projects_dns_value()}>
        <CopyValue text={value} label={m.projects_copy({ label: m.projects_dns_value() })} />
      </RecordPart>
    </dl>
    <p>{m.projects_dns_root()}</p>
  </div>
)

const RecordPart = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs">{label}</dt>
    <dd className="font-mono wrap-anywhere text-fg">{children}</dd>
  </div>
)
