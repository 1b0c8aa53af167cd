import { formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../mail/mail.service.ts'
import type { EmailTokenKind } from './auth.schema.ts'

type Text = (inputs: object, options: { locale: Locale }) => string

const tokenEmails: Record<
  EmailTokenKind,
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

type EmailInput = {
  locale: Locale
  user: { name: string; createdAt: Date }
  publicUrl: string
}

/** For the address of a new account. */
const signUpReason = ({ createdAt }: EmailInput['user'], locale: Locale) =>
  m.mail_reason_sign_up(
    { time: formatUtcDate(createdAt, locale, { month: 'long', year: true, time: true }) },
    { locale },
  )

export function tokenEmail(
  kind: EmailTokenKind,
  { locale, user, publicUrl, token }: EmailInput & { token: string },
): Email {
  const { path, subject, text, action, note } = tokenEmails[kind]
  return {
    locale,
    kind: 'account',
    subject: subject({}, { locale }),
    paragraphs: [m.mail_greeting({ name: asName(user.name) }, { locale }), text({}, { locale })],
    ...(kind === 'verify' && { reason: signUpReason(user, locale) }),
    action: {
      label: action({}, { locale }),
      url: `${publicUrl}${path}?token=${encodeURIComponent(token)}`,
      showsUrl: true,
    },
    note: note({}, { locale }),
  }
}

/** For a password reset of an account that signs in with an outside provider. */
export function noPasswordEmail({
  locale,
  user,
  publicUrl,
}: EmailInput & { user: { loginKind: string } }): Email {
  const provider = user.loginKind
  return {
    locale,
    kind: 'account',
    subject: m.mail_no_password_subject({ provider }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(user.name) }, { locale }),
      m.mail_no_password_text({ provider }, { locale }),
    ],
    action: { label: m.mail_no_password_action({}, { locale }), url: `${publicUrl}/auth/login` },
    note: m.mail_no_password_note({ provider }, { locale }),
  }
}
