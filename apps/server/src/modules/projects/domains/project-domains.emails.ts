import { domainToUnicode } from 'node:url'
import { type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../../mail/mail.service.ts'

type DomainEmail = {
  locale: Locale
  /** The recipient's name. */
  name: string
  project: { key: string; name: string }
  host: string
  publicUrl: string
}

const wording = {
  failed: {
    subject: m.domains_email_failed_subject,
    text: m.domains_email_failed_text,
    advice: m.domains_email_failed_advice,
    action: m.domains_email_failed_action,
  },
  recovered: {
    subject: m.domains_email_recovered_subject,
    text: m.domains_email_recovered_text,
    advice: m.mail_nothing_to_do,
    action: m.domains_email_recovered_action,
  },
}

const domainEmail =
  (news: keyof typeof wording) =>
  ({ locale, name, project, host, publicUrl }: DomainEmail): Email => {
    const options = { locale }
    const words = { domain: domainToUnicode(host) }
    const { subject, text, advice, action } = wording[news]
    return {
      locale,
      subject: subject(words, options),
      paragraphs: [m.mail_greeting({ name: asName(name) }, options), text(words, options)],
      rows: [
        { label: m.projects_domain({}, options), value: words.domain, wraps: true },
        { label: m.projects_project({}, options), value: asName(project.name), wraps: true },
      ],
      advice: advice({}, options),
      action: {
        label: action({}, options),
        url: `${publicUrl}/projects/view/${project.key}/domains`,
      },
      reason: m.mail_reason_member({}, options),
    }
  }

export const failedDomainEmail = domainEmail('failed')

export const recoveredDomainEmail = domainEmail('recovered')
