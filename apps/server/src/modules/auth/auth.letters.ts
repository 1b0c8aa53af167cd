import { type Locale, m } from '@slipway/phrases'
import type { Letter } from '../mail/mail.service.ts'
import type { MailTokenKind } from './auth.schema.ts'

type Text = (inputs: object, options: { locale: Locale }) => string

/** What each letter with a token says, and the console's page that takes the token. */
const letters: Record<
  MailTokenKind,
  Record<'subject' | 'text' | 'action' | 'note', Text> & { path: string }
> = {
  verify: {
    path: '/auth/verify',
    subject: m.mail_verify_subject,
    text: m.mail_verify_text,
    action: m.mail_verify_action,
    note: m.mail_verify_note,
  },
  reset: {
    path: '/auth/reset-password',
    subject: m.mail_reset_subject,
    text: m.mail_reset_text,
    action: m.mail_reset_action,
    note: m.mail_reset_note,
  },
}

/** The letter that hands somebody a token of that kind, as a link to the console. */
export function tokenLetter(
  kind: MailTokenKind,
  {
    locale,
    name,
    publicUrl,
    token,
  }: Record<'name' | 'publicUrl' | 'token', string> & {
    locale: Locale
  },
): Letter {
  const { path, subject, text, action, note } = letters[kind]
  return {
    locale,
    subject: subject({}, { locale }),
    paragraphs: [m.mail_greeting({ name }, { locale }), text({}, { locale })],
    action: {
      label: action({}, { locale }),
      url: `${publicUrl}${path}?token=${encodeURIComponent(token)}`,
    },
    note: note({}, { locale }),
  }
}
