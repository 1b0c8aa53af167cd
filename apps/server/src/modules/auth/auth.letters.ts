import { m } from '@slipway/phrases'
import type { Letter } from '../mail/mail.service.ts'

type Locale = Letter['locale']

const link = (publicUrl: string, path: string, token: string) =>
  `${publicUrl}${path}?token=${encodeURIComponent(token)}`

export const verifyLetter = (
  locale: Locale,
  name: string,
  publicUrl: string,
  token: string,
): Letter => ({
  locale,
  subject: m.mail_verify_subject({}, { locale }),
  paragraphs: [m.mail_greeting({ name }, { locale }), m.mail_verify_text({}, { locale })],
  action: {
    label: m.mail_verify_action({}, { locale }),
    url: link(publicUrl, '/auth/verify', token),
  },
  note: m.mail_verify_note({}, { locale }),
})

export const resetLetter = (
  locale: Locale,
  name: string,
  publicUrl: string,
  token: string,
): Letter => ({
  locale,
  subject: m.mail_reset_subject({}, { locale }),
  paragraphs: [m.mail_greeting({ name }, { locale }), m.mail_reset_text({}, { locale })],
  action: {
    label: m.mail_reset_action({}, { locale }),
    url: link(publicUrl, '/auth/reset-password', token),
  },
  note: m.mail_reset_note({}, { locale }),
})
