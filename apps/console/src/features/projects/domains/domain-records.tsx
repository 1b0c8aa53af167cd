import type { DnsRecord, ProjectDomain } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { relativeName } from './domain-names.ts'

const keyOf = ({ type, name, value }: DnsRecord) => `${type} ${name} ${value}`

const RecordList = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y divide-line rounded-md border border-line bg-canvas px-3">{children}</ul>
)

const Part = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="font-mono wrap-anywhere">{children}</dd>
  </div>
)

/** Records to create, each value with a button that copies it. */
export const RecordsToCreate = ({
  records,
  domain: { displayHost: host, zone },
}: {
  records: readonly DnsRecord[]
  domain: ProjectDomain
}) => (
  <RecordList>
    {records.map((record) => {
      const { type, name, value } = record
      const relative = relativeName(name, zone)
      return (
        <li key={keyOf(record)} className="py-2">
          <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[4rem_minmax(0,2fr)_minmax(0,3fr)]">
            <Part label={m.domains_record_type()}>{type}</Part>
            <Part label={m.domains_record_name()}>
              <CopyValue text={relative} label={m.domains_copy_name({ type, host })} />
              {relative !== name && (
                <span className="block font-sans text-xs text-muted">
                  {m.domains_record_full_name({ name })}
                </span>
              )}
            </Part>
            <Part label={m.domains_record_value()}>
              <CopyValue text={value} label={m.domains_copy_value({ type, host })} />
            </Part>
          </dl>
        </li>
      )
    })}
  </RecordList>
)

export const FoundRecords = ({
  records,
  host,
}: {
  records: readonly DnsRecord[]
  host: string
}) => (
  <RecordList>
    {records.length === 0 ? (
      <li className="py-2">{m.domains_found_none()}</li>
    ) : (
      records.map((record) => (
        <li
          key={keyOf(record)}
          className="grid gap-x-6 py-2 font-mono sm:grid-cols-[4rem_minmax(0,1fr)]"
        >
          <span className="text-muted">{record.type}</span>
          <span className="min-w-0 wrap-anywhere">
            {record.name !== host && <span className="block text-muted">{record.name}</span>}
            {record.value}
          </span>
        </li>
      ))
    )}
  </RecordList>
)
