import type { UserId } from '@slipway/contract/account'
import { type Locale, m } from '@slipway/phrases'
import { type EmailedInvoice, invoiceRows, payAction } from '../../invoices/invoices.service.ts'
import { asName, type Email, inTitle } from '../../mail/mail.service.ts'

type ProjectEmail = {
  locale: Locale
  recipient: { id: UserId; name: string }
  project: { key: string; name: string; power: 'running' | 'stopped' }
  publicUrl: string
}

type Text<Inputs> = (inputs: Inputs, options: { locale: Locale }) => string

const projectEmail = (
  { locale, recipient, project }: ProjectEmail,
  { subject, text }: { subject: Text<{ project: string }>; text: Text<object> },
) => ({
  locale,
  subject: subject({ project: inTitle(asName(project.name)) }, { locale }),
  paragraphs: [m.mail_greeting({ name: asName(recipient.name) }, { locale }), text({}, { locale })],
  reason: m.mail_reason_member({}, { locale }),
})

const suspendedEmail = (email: ProjectEmail, text: Text<object>) => ({
  ...projectEmail(email, { subject: m.projects_email_suspended_subject, text }),
  kind: 'actionNeeded' as const,
  note: m.projects_email_suspended_meaning({}, { locale: email.locale }),
})

const ticketAction = ({ locale, publicUrl }: ProjectEmail) => ({
  label: m.projects_email_suspended_ticket({}, { locale }),
  url: `${publicUrl}/support/tickets/create`,
})

/** Only the owner of the team sees the unpaid invoices, and can pay them. */
export const unpaidEmail =
  (owner: { id: UserId; name: string }, invoices: readonly EmailedInvoice[]) =>
  (email: ProjectEmail): Email => {
    const { locale, recipient, publicUrl } = email
    const isOwner = recipient.id === owner.id
    const isPayable = isOwner && invoices.length > 0
    return {
      ...suspendedEmail(email, m.projects_email_suspended_unpaid),
      ...(isPayable && { rows: invoiceRows(invoices, locale) }),
      advice: isOwner
        ? m.projects_email_suspended_unpaid_owner({}, { locale })
        : m.projects_email_suspended_unpaid_member({ owner: asName(owner.name) }, { locale }),
      ...(isPayable
        ? {
            action: payAction(invoices, locale, publicUrl),
            nextAction: { ...ticketAction(email), isQuiet: true },
          }
        : { action: ticketAction(email) }),
    }
  }

export const abuseEmail = (email: ProjectEmail): Email => ({
  ...suspendedEmail(email, m.projects_email_suspended_abuse),
  advice: m.projects_email_suspended_abuse_advice({}, { locale: email.locale }),
  action: ticketAction(email),
})

export const resumedEmail = (email: ProjectEmail): Email => ({
  ...projectEmail(email, {
    subject: m.projects_email_resumed_subject,
    text:
      email.project.power === 'running'
        ? m.projects_email_resumed_running
        : m.projects_email_resumed_stopped,
  }),
  kind: 'resolved',
  action: {
    label: m.projects_email_resumed_action({}, { locale: email.locale }),
    url: `${email.publicUrl}/projects/view/${email.project.key}`,
    isQuiet: email.project.power === 'running',
  },
})
