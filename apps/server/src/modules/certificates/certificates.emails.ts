import { formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email, unbroken } from '../mail/mail.service.ts'
import type { ExpiryNotice } from './certificates.schema.ts'

type About = {
  locale: Locale
  /** The recipient's name. */
  name: string
  project: { key: string; name: string }
  host: string
  expiresAt: Date
  publicUrl: string
}

const dateOf = (expiresAt: Date, locale: Locale) =>
  unbroken(formatUtcDate(expiresAt, locale, { month: 'long', year: true }))

type Text<Inputs> = (inputs: Inputs, options: { locale: Locale }) => string

const certificateEmail = (
  { locale, name, project, host, expiresAt, publicUrl }: About,
  {
    subject,
    text,
    dateLabel,
  }: {
    subject: Text<{ host: string; date: string }>
    text: Text<object>
    dateLabel: Text<object>
  },
) => {
  const date = dateOf(expiresAt, locale)
  return {
    locale,
    subject: subject({ host, date }, { locale }),
    paragraphs: [m.mail_greeting({ name: asName(name) }, { locale }), text({}, { locale })],
    rows: [
      { label: m.projects_project({}, { locale }), value: asName(project.name), wraps: true },
      { label: dateLabel({}, { locale }), value: date },
    ],
    action: {
      label: m.certificates_email_action({}, { locale }),
      url: `${publicUrl}/projects/view/${project.key}/domains`,
    },
    reason: m.mail_reason_member({}, { locale }),
  }
}

const expired = {
  subject: m.certificates_email_expired_subject,
  text: m.certificates_email_expired_text,
  dateLabel: m.certificates_email_expired_date,
}

const expires = {
  subject: m.certificates_email_expires_subject,
  text: m.certificates_email_expires_text,
  dateLabel: m.certificates_email_expires_date,
}

/** The email about a certificate that could not be renewed: it expires soon, or has expired. */
export function expiryEmail(notice: ExpiryNotice, about: About): Email {
  const { locale, host } = about
  const hasExpired = notice === 'expired'
  return {
    ...certificateEmail(about, hasExpired ? expired : expires),
    kind: 'actionNeeded',
    // The table has the date.
    ...(!hasExpired && { title: m.certificates_email_expires_title({ host }, { locale }) }),
    advice: m.certificates_email_what_to_do({}, { locale }),
  }
}

/** The email once the host has a new certificate after one of these emails. */
export function renewedEmail(about: About): Email {
  const email = certificateEmail(about, {
    subject: m.certificates_email_renewed_subject,
    text: m.certificates_email_renewed_text,
    dateLabel: m.mail_valid_until,
  })
  return { ...email, kind: 'resolved', action: { ...email.action, isQuiet: true } }
}
