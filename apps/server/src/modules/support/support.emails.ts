import { type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../mail/mail.service.ts'
import type { Message, Ticket } from './support.store.ts'

type TicketEmail = {
  locale: Locale
  ticket: Pick<Ticket, 'id' | 'subject'>
  message: Pick<Message, 'text'>
}

export function replyEmail({
  locale,
  ticket: { id, subject },
  message,
  name,
  publicUrl,
}: TicketEmail & Record<'name' | 'publicUrl', string>): Email {
  return {
    locale,
    kind: 'support',
    subject: m.support_email_reply_subject({ subject }, { locale }),
    title: subject,
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.support_email_reply_text({}, { locale }),
    ],
    quote: message.text,
    action: {
      label: m.support_email_reply_action({}, { locale }),
      url: `${publicUrl}/support/tickets/view/${id}`,
    },
    note: m.support_email_reply_note({}, { locale }),
    reason: m.mail_reason_ticket({}, { locale }),
  }
}

/** The email to an operator with a user's message; `operator` is the operator's name. */
export function messageEmail({
  locale,
  ticket: { id, subject },
  message,
  operator,
  user,
}: TicketEmail & { operator: string; user: { name: string; email: string } }): Email {
  return {
    locale,
    kind: 'support',
    subject: m.support_email_ticket_subject({ subject }, { locale }),
    title: subject,
    paragraphs: [
      m.mail_greeting({ name: asName(operator) }, { locale }),
      m.support_email_ticket_text({ name: asName(user.name), email: user.email }, { locale }),
    ],
    quote: message.text,
    note: m.support_email_ticket_note({}, { locale }),
    command: m.support_email_ticket_command({ id }, { locale }),
    reason: m.mail_reason_operator({}, { locale }),
  }
}
