import { formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../mail/mail.service.ts'

type Text<Inputs = object> = (inputs: Inputs, options: { locale: Locale }) => string

const texts = {
  lockout: {
    subject: m.mail_lockout_subject,
    text: m.mail_lockout_text,
    note: m.mail_lockout_note,
  },
  newDevice: {
    subject: m.mail_new_device_subject,
    text: m.mail_new_device_text,
    note: m.mail_new_device_note,
  },
  passwordChanged: {
    subject: m.mail_password_changed_subject,
    text: m.mail_password_changed_text,
    note: m.mail_password_changed_note,
  },
} satisfies Record<
  string,
  { subject: Text; text: Text<{ time: string; address: string }>; note: Text }
>

/**
 * Tells an owner what happened to their account, when and from which network address, with a link
 * to set a new password.
 */
export function eventEmail(
  event: keyof typeof texts,
  {
    user,
    locale,
    publicUrl,
    address,
    time,
  }: { user: { name: string }; locale: Locale; publicUrl: string; address: string; time: Date },
): Email {
  const { subject, text, note } = texts[event]
  const timeText = formatUtcDate(time, locale, { month: 'long', year: true, time: true })
  return {
    locale,
    subject: subject({}, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(user.name) }, { locale }),
      text({ time: timeText, address }, { locale }),
    ],
    action: {
      label: m.mail_reset_action({}, { locale }),
      url: `${publicUrl}/auth/forgot-password`,
    },
    note: note({}, { locale }),
  }
}
