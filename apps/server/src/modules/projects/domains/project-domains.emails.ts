import { domainToUnicode } from 'node:url'
import type { DnsRecord } from '@slipway/contract/domains'
import { formatList, formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../../mail/mail.service.ts'

type DomainEmail = {
  locale: Locale
  /** The recipient's name. */
  name: string
  project: { key: string; name: string }
  host: string
  time: Date
  publicUrl: string
}

/** The records of a domain that fails; `expected` has alternatives. */
export type WrongRecord = { found: readonly DnsRecord[]; expected: readonly DnsRecord[] }

type Text<Inputs> = (inputs: Inputs, options: { locale: Locale }) => string

const domainEmail = (
  { locale, name, project, host, time, publicUrl }: DomainEmail,
  words: { subject: Text<{ domain: string }>; text: Text<object>; action: Text<object> },
) => ({
  locale,
  subject: words.subject({ domain: domainToUnicode(host) }, { locale }),
  paragraphs: [m.mail_greeting({ name: asName(name) }, { locale }), words.text({}, { locale })],
  rows: [
    { label: m.projects_project({}, { locale }), value: asName(project.name), wraps: true },
    {
      label: m.mail_time({}, { locale }),
      value: formatUtcDate(time, locale, { month: 'long', year: true, time: true }),
    },
  ],
  action: {
    label: words.action({}, { locale }),
    url: `${publicUrl}/projects/view/${project.key}/domains`,
  },
  reason: m.mail_reason_member({}, { locale }),
})

const recordText = ({ type, value }: DnsRecord) => `${type} ${value}`

/** What DNS has and what it should have. */
const recordRows = ({ found, expected }: WrongRecord, locale: Locale) => [
  {
    label: m.domains_email_found({}, { locale }),
    value:
      found.length === 0
        ? m.domains_found_none({}, { locale })
        : formatList(found.map(recordText), locale, 'narrow'),
    wraps: true,
  },
  ...expected.slice(0, 1).map((record) => ({
    label: m.domains_email_needed({}, { locale }),
    value: recordText(record),
    wraps: true,
  })),
]

/** `record` is undefined if the domain fails for another reason than its record. */
export function failedDomainEmail(record: WrongRecord | undefined, about: DomainEmail): Email {
  const { locale } = about
  const email = domainEmail(about, {
    subject: m.domains_email_failed_subject,
    text: record ? m.domains_email_failed_record : m.domains_email_failed_text,
    action: m.domains_email_failed_action,
  })
  return {
    ...email,
    kind: 'actionNeeded',
    rows: [...email.rows, ...(record ? recordRows(record, locale) : [])],
    advice: record
      ? m.domains_email_failed_record_advice({}, { locale })
      : m.domains_email_failed_advice({}, { locale }),
  }
}

export function recoveredDomainEmail(about: DomainEmail): Email {
  const email = domainEmail(about, {
    subject: m.domains_email_recovered_subject,
    text: m.domains_email_recovered_text,
    action: m.domains_email_recovered_action,
  })
  return { ...email, kind: 'resolved', action: { ...email.action, isQuiet: true } }
}
