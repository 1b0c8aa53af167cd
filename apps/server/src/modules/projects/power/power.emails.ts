import type { SuspensionReason } from '@slipway/contract/projects'
import { type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../../mail/mail.service.ts'

type ProjectEmail = {
  locale: Locale
  /** The recipient's name. */
  name: string
  project: { key: string; name: string; power: 'running' | 'stopped' }
  publicUrl: string
}

const explanations = {
  unpaid: m.projects_email_suspended_unpaid,
  abuse: m.projects_email_suspended_abuse,
}

export const suspendedEmail =
  (reason: SuspensionReason) =>
  ({ locale, name, project, publicUrl }: ProjectEmail): Email => {
    const options = { locale }
    return {
      locale,
      subject: m.projects_email_suspended_subject({ project: asName(project.name) }, options),
      paragraphs: [
        m.mail_greeting({ name: asName(name) }, options),
        explanations[reason]({ project: asName(project.name) }, options),
        m.projects_email_suspended_meaning({}, options),
      ],
      action:
        reason === 'unpaid'
          ? {
              label: m.projects_email_suspended_pay({}, options),
              url: `${publicUrl}/account/billing/invoices`,
            }
          : {
              label: m.projects_email_suspended_ticket({}, options),
              url: `${publicUrl}/support/tickets/create`,
            },
    }
  }

export const resumedEmail = ({ locale, name, project, publicUrl }: ProjectEmail): Email => {
  const options = { locale }
  const outcome =
    project.power === 'running'
      ? m.projects_email_resumed_running
      : m.projects_email_resumed_stopped
  return {
    locale,
    subject: m.projects_email_resumed_subject({ project: asName(project.name) }, options),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, options),
      outcome({ project: asName(project.name) }, options),
    ],
    action: {
      label: m.projects_email_resumed_action({}, options),
      url: `${publicUrl}/projects/view/${project.key}`,
    },
  }
}
