import { formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../mail/mail.service.ts'

/** The email about a new personal token: from which address it was created, and its expiry. */
export function createdEmail({
  user,
  token,
  locale,
  publicUrl,
  address,
}: {
  user: { name: string }
  token: { name: string; createdAt: Date; expiresAt: Date }
  locale: Locale
  publicUrl: string
  address: string
}): Email {
  const timeText = (time: Date) =>
    formatUtcDate(time, locale, { month: 'long', year: true, time: true })
  return {
    locale,
    subject: m.mail_token_created_subject({}, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(user.name) }, { locale }),
      m.mail_token_created_text(
        { name: asName(token.name), time: timeText(token.createdAt), address },
        { locale },
      ),
      m.mail_token_created_expiry({ time: timeText(token.expiresAt) }, { locale }),
    ],
    action: {
      label: m.mail_token_created_action({}, { locale }),
      url: `${publicUrl}/account/tokens`,
    },
    note: m.mail_token_created_note({}, { locale }),
  }
}
