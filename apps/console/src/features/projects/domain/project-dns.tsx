import {
  checkProjectDomain,
  type ProjectDns as Dns,
  type ProjectDetail,
} from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../api/client.ts'
import { projectQuery } from '../../../api/queries.ts'
import { useAction } from '../../../forms/use-action.ts'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { usesDefaultUrl } from '../access/access-url.ts'
import { dnsVerdicts } from './dns-verdicts.ts'

/** Used until the server knows a domain that was just set: only the required record is known. */
const notChecked = (domain: string, expected: string): Dns => ({
  name: domain,
  type: 'CNAME',
  expected,
  found: [],
  verdict: null,
  checkedAt: null,
  foundAt: null,
})

/** The DNS record that the custom domain needs, the records found, and what to do. */
export function ProjectDns({ project, domain }: { project: ProjectDetail; domain: string }) {
  const storedDns = project.dns
  const dns = storedDns?.name === domain ? storedDns : notChecked(domain, project.controllerDomain)
  const { label, tone, icon, advice } = dnsVerdicts[dns.verdict ?? 'checking']
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone} icon={icon}>
          {label()}
        </Badge>
        <CheckNow project={project} dns={dns} />
      </div>
      <p className="text-muted">
        {advice()} {usesDefaultUrl(project) && m.projects_dns_links()}
      </p>
      <dl className="grid gap-x-6 gap-y-3 rounded-md border border-line bg-canvas px-3 py-2 lg:grid-cols-[auto_auto_fit-content(40%)_minmax(0,1fr)]">
        <Records label={m.projects_dns_expected()}>
          <Expected dns={dns} />
        </Records>
        {dns.foundAt !== null && (
          <Records
            label={
              dns.verdict === 'unknown' ? m.projects_dns_found_before() : m.projects_dns_found()
            }
          >
            <Found dns={dns} />
          </Records>
        )}
      </dl>
      {dns.verdict !== 'correct' && <p className="text-muted">{m.projects_dns_advice_root()}</p>}
    </div>
  )
}

const Records = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid min-w-0 gap-y-1 lg:col-span-full lg:grid-cols-subgrid">
    <dt className="text-muted">{label}</dt>
    <dd className="grid min-w-0 gap-y-1 lg:col-span-3 lg:grid-cols-subgrid">{children}</dd>
  </div>
)

/** The CNAME record (RFC 1035 §3.3.1) to create at the domain's provider. */
const Expected = ({ dns: { name, type, expected } }: { dns: Dns }) => (
  <dl className="grid gap-y-2 lg:col-span-full lg:grid-cols-subgrid">
    <RecordPart label={m.projects_dns_type()}>{type}</RecordPart>
    <RecordPart label={m.projects_dns_name()}>
      <CopyValue text={name} label={m.projects_copy({ label: m.projects_dns_name() })} />
    </RecordPart>
    <RecordPart label={m.projects_dns_value()}>
      <CopyValue text={expected} label={m.projects_copy({ label: m.projects_dns_value() })} />
    </RecordPart>
  </dl>
)

const RecordPart = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="font-mono wrap-anywhere">{children}</dd>
  </div>
)

const Found = ({ dns: { found, foundAt, verdict } }: { dns: Dns }) => (
  <>
    {found.length === 0 ? (
      <span className="lg:col-span-full">{m.projects_dns_no_record()}</span>
    ) : (
      <ul className="grid gap-y-1 font-mono lg:col-span-full lg:grid-cols-subgrid">
        {found.map(({ type, value }) => (
          <li
            key={`${type} ${value}`}
            className="flex gap-x-6 lg:col-span-full lg:grid lg:grid-cols-subgrid"
          >
            <span className="min-w-12 text-muted">{type}</span>
            <span className="min-w-0 wrap-anywhere lg:col-start-3">{value}</span>
          </li>
        ))}
      </ul>
    )}
    {verdict === 'unknown' && foundAt && (
      <span className="text-muted lg:col-span-full">
        <RelativeTime value={foundAt} />
      </span>
    )}
  </>
)

/** The time of the last DNS check and a button to check again. */
function CheckNow({ project, dns }: { project: ProjectDetail; dns: Dns }) {
  const queryClient = useQueryClient()
  const check = useAction(async () => {
    const checked = await call(checkProjectDomain, { params: { id: project.id } })
    queryClient.setQueryData(
      projectQuery(project.key).queryKey,
      (cached) => cached && { ...cached, dns: checked, domainVerdict: checked.verdict },
    )
  })
  const verdict = dnsVerdicts[dns.verdict ?? 'checking'].label()
  return (
    <>
      {dns.checkedAt && (
        <span className="text-muted">
          {m.projects_dns_checked()} <RelativeTime value={dns.checkedAt} />
        </span>
      )}
      <Button pending={check.pending} onClick={() => check.run()}>
        {m.projects_dns_check_now()}
      </Button>
      <span role="status" className="sr-only">
        {dns.verdict && !check.pending && m.projects_dns_status({ name: dns.name, verdict })}
      </span>
      {check.failure && (
        <p role="alert" className="w-full text-danger">
          {check.failure}
        </p>
      )}
    </>
  )
}
