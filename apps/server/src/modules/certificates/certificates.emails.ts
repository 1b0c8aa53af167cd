import { formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../mail/mail.service.ts'
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

function email(
  { locale, name, project, publicUrl }: About,
  { subject, paragraphs }: Pick<Email, 'subject' | 'paragraphs'>,
): Email {
  return {
    locale,
    subject,
    paragraphs: [m.mail_greeting({ name: asName(name) }, { locale }), ...paragraphs],
    action: {
      label: m.certificates_email_action({}, { locale }),
      url: `${publicUrl}/projects/view/${project.key}/domains`,
    },
  }
}

const texts = ({ locale, project, host, expiresAt }: About) => ({
  inputs: {
    host,
    project: asName(project.name),
    date: formatUtcDate(expiresAt, locale, { month: 'long', year: true }),
  },
  options: { locale },
})

/** The email about a certificate that could not be renewed: it expires soon, or has expired. */
export function expiryEmail(notice: ExpiryNotice, about: About): Email {
  const { inputs, options } = texts(about)
  if (notice === 'expired')
    return email(about, {
      subject: m.certificates_email_expired_subject(inputs, options),
      paragraphs: [
        m.certificates_email_expired_text(inputs, options),
        m.certificates_email_what_to_do({}, options),
      ],
    })
  return email(about, {
    subject: m.certificates_email_expires_subject(inputs, options),
    paragraphs: [
      m.certificates_email_expires_text(inputs, options),
      m.certificates_email_what_to_do({}, options),
    ],
  })
}

/** The email once the host has a new certificate after one of these emails. */
export function renewedEmail(about: About): Email {
  const { inputs, options } = texts(about)
  return email(about, {
    subject: m.certificates_email_renewed_subject(inputs, options),
    paragraphs: [m.certificates_email_renewed_text(inputs, options)],
  })
}
