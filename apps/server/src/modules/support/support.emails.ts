import { type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../mail/mail.service.ts'
import type { Message, Ticket } from './support.store.ts'

type About = {
  locale: Locale
  ticket: Pick<Ticket, 'id' | 'subject'>
  message: Pick<Message, 'text'>
}

/** The letter that brings a user what the support team replied. */
export function replyEmail({
  locale,
  ticket: { id, subject },
  message,
  name,
  publicUrl,
}: About & Record<'name' | 'publicUrl', string>): Email {
  return {
    locale,
    subject: m.support_letter_reply_subject({ subject }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.support_letter_reply_text({ subject }, { locale }),
    ],
    quote: message.text,
    action: {
      label: m.support_letter_reply_action({}, { locale }),
      url: `${publicUrl}/support/tickets/view/${id}`,
    },
    note: m.support_letter_reply_note({}, { locale }),
  }
}

/** The letter that brings support staff what a user wrote; `operator` is their name. */
export function askedEmail({
  locale,
  ticket: { id, subject },
  message,
  operator,
  user,
}: About & { operator: string; user: { name: string; email: string } }): Email {
  return {
    locale,
    subject: m.support_letter_asked_subject({ subject }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(operator) }, { locale }),
      m.support_letter_asked_text(
        { name: asName(user.name), email: user.email, subject },
        { locale },
      ),
    ],
    quote: message.text,
    note: m.support_letter_asked_note({ id }, { locale }),
  }
}
