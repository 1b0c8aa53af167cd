import {
  isUnknown,
  needsTextRecord,
  recordsToCreate,
  textRecordOf,
} from '@slipway/contract/domain-problems'
import { isChecked, isToDo } from '@slipway/contract/domain-status'
import type { DomainStep, ProjectDomain } from '@slipway/contract/domains'
import { formatDate, getLocale, m } from '@slipway/phrases'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { problemText } from './domain-problems.ts'
import { FoundRecords, RecordsToCreate } from './domain-records.tsx'
import { stepNames, stepStates } from './domain-steps.ts'

const date = (time: string) => formatDate(time, getLocale(), 'date')

/** The steps of a domain, from its DNS record to the renewal of its certificate. */
export const DomainTimeline = ({ domain }: { domain: ProjectDomain }) =>
  !isChecked(domain) ? (
    <p className="text-muted">{m.domains_not_checked()}</p>
  ) : (
    <ol aria-label={m.domains_steps_of({ host: domain.displayHost })} className="grid gap-4">
      {domain.steps.map((step) => (
        <Step key={step.id} domain={domain} step={step} />
      ))}
    </ol>
  )

function Step({ domain, step }: { domain: ProjectDomain; step: DomainStep }) {
  const { icon: Icon, className, label } = stepStates[isToDo(step, domain) ? 'toDo' : step.state]
  const problem = problemText(step, domain)
  return (
    <li className="flex gap-3">
      <Icon className={classNames('mt-0.5 size-4 shrink-0', className)} aria-hidden />
      <div className="grid min-w-0 flex-1 gap-2">
        <div className="items-baseline justify-between gap-x-4 sm:flex">
          <p>
            {stepNames[step.id]()} <span className={classNames('ml-1', className)}>{label()}</span>
          </p>
          {step.checkedAt && step.state !== 'waiting' && (
            <p className="text-xs text-muted">
              {m.domains_checked()} <RelativeTime value={step.checkedAt} seconds />
            </p>
          )}
        </div>
        {problem && <p className="max-w-prose">{problem}</p>}
        {step.detail && <AuthorityWords text={step.detail} />}
        <StepRecords domain={domain} step={step} />
        <CertificateFacts domain={domain} step={step} />
      </div>
    </li>
  )
}

const AuthorityWords = ({ text }: { text: string }) => (
  <figure className="grid gap-1">
    <figcaption className="text-muted">{m.domains_authority_says()}</figcaption>
    <blockquote className="border-l-2 border-line pl-3 font-mono text-xs wrap-anywhere">
      {text}
    </blockquote>
  </figure>
)

function instruction(step: DomainStep, count: number) {
  if (needsTextRecord(step)) return m.domains_proof()
  return count === 1 ? m.domains_enter_one() : m.domains_enter_any()
}

/** The records to create and the found records; once the step is done, only the found records. */
function StepRecords({ domain, step }: { domain: ProjectDomain; step: DomainStep }) {
  const { expected, found, state, checkedAt } = step
  if (isUnknown(step)) return step.id === 'record' && <Provider domain={domain} />
  const isOpen = state !== 'done'
  const records = recordsToCreate(step, domain)
  return (
    <>
      {records.length > 0 && (
        <>
          <p className="text-muted">{instruction(step, records.length)}</p>
          <RecordsToCreate records={records} domain={domain} />
        </>
      )}
      {isOpen && step.id === 'record' && <Provider domain={domain} />}
      {/* A finished `reach` step has the same addresses as the step of the record. */}
      {(isOpen || step.id !== 'reach') &&
        checkedAt !== null &&
        expected.length + found.length > 0 && (
          <>
            <p className="text-muted">{m.domains_found()}</p>
            <FoundRecords records={found} host={domain.host} />
          </>
        )}
      {isOpen && step.id === 'record' && domain.state === 'pending' && !needsTextRecord(step) && (
        <Disclosure summary={m.domains_proof_first()}>
          <div className="grid gap-2">
            <p className="max-w-prose text-muted">{m.domains_proof_first_text()}</p>
            <RecordsToCreate records={[textRecordOf(domain)]} domain={domain} />
          </div>
        </Disclosure>
      )}
    </>
  )
}

/** The DNS provider at which the owner changes records, if its name servers reveal it. */
const Provider = ({ domain: { provider } }: { domain: ProjectDomain }) =>
  provider && (
    <p>
      {m.domains_provider({ name: provider.name })}{' '}
      <ExternalLink href={provider.url} newTab={m.shell_new_tab()}>
        {m.domains_provider_open()}
      </ExternalLink>
    </p>
  )

/** Who issued the certificate, and when it is renewed or has expired. */
function CertificateFacts({
  domain: { certificate, state: domainState },
  step: { id, state },
}: {
  domain: ProjectDomain
  step: DomainStep
}) {
  if (!certificate) return null
  const { issuer, expiresAt, renewAt } = certificate
  if (state === 'failed')
    return id === 'certificate' && expiresAt !== null ? (
      <p className="text-muted">{m.domains_expired({ date: date(expiresAt) })}</p>
    ) : null
  if (id === 'certificate' && state === 'waiting' && domainState === 'active')
    return <p className="text-muted">{m.domains_requested()}</p>
  if (id === 'certificate' && issuer !== null)
    return (
      <p className="text-muted">
        {expiresAt === null
          ? m.domains_issued({ issuer })
          : m.domains_issued_until({ issuer, date: date(expiresAt) })}
      </p>
    )
  if (id === 'renewal' && state === 'done' && renewAt !== null)
    return <p className="text-muted">{m.domains_renews({ date: date(renewAt) })}</p>
  return null
}
