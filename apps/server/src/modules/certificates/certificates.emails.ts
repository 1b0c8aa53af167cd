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

function email(
  { locale, name, project, host, expiresAt, publicUrl }: About,
  { subject, text, advice }: Record<'subject' | 'text' | 'advice', string>,
): Email {
  return {
    locale,
    subject,
    paragraphs: [m.mail_greeting({ name: asName(name) }, { locale }), text],
    rows: [
      { label: m.projects_domain({}, { locale }), value: host, wraps: true },
      { label: m.projects_project({}, { locale }), value: asName(project.name), wraps: true },
      { label: m.mail_valid_until({}, { locale }), value: dateOf(expiresAt, locale) },
    ],
    advice,
    action: {
      label: m.certificates_email_action({}, { locale }),
      url: `${publicUrl}/projects/view/${project.key}/domains`,
    },
    reason: m.mail_reason_member({}, { locale }),
  }
}

const texts = ({ locale, host, expiresAt }: About) => ({
  inputs: { host, date: dateOf(expiresAt, locale) },
  options: { locale },
})

/** The email about a certificate that could not be renewed: it expires soon, or has expired. */
export function expiryEmail(notice: ExpiryNotice, about: About): Email {
  const { inputs, options } = texts(about)
  if (notice === 'expired')
    return email(about, {
      subject: m.certificates_email_expired_subject(inputs, options),
      text: m.certificates_email_expired_text(inputs, options),
      advice: m.certificates_email_what_to_do({}, options),
    })
  return email(about, {
    subject: m.certificates_email_expires_subject(inputs, options),
    text: m.certificates_email_expires_text(inputs, options),
    advice: m.certificates_email_what_to_do({}, options),
  })
}

/** The email once the host has a new certificate after one of these emails. */
export function renewedEmail(about: About): Email {
  const { inputs, options } = texts(about)
  return email(about, {
    subject: m.certificates_email_renewed_subject(inputs, options),
    text: m.certificates_email_renewed_text(inputs, options),
    advice: m.mail_nothing_to_do({}, options),
  })
}
