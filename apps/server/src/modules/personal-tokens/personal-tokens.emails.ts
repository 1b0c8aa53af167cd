import { formatList, formatNumber, formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../mail/mail.service.ts'

const maxListedNames = 5

/** The names of a few projects, or the number of many. */
const projectsText = (names: readonly string[], locale: Locale) =>
  names.length > maxListedNames
    ? formatNumber(names.length, locale)
    : formatList(names.map(asName), locale, 'narrow')

/** The email about a new personal token: from which address it was created, and what it is for. */
export function createdEmail({
  user,
  token,
  projectNames,
  locale,
  publicUrl,
  address,
}: {
  user: { name: string; loginKind: string }
  token: { name: string; createdAt: Date; expiresAt: Date }
  /** Undefined for all projects of the user's teams. */
  projectNames: readonly string[] | undefined
  locale: Locale
  publicUrl: string
  address: string
}): Email {
  const options = { locale }
  const timeText = (time: Date) =>
    formatUtcDate(time, locale, { month: 'long', year: true, time: true })
  return {
    locale,
    kind: 'security',
    subject: m.mail_token_created_subject({}, options),
    paragraphs: [
      m.mail_greeting({ name: asName(user.name) }, options),
      m.mail_token_created_text({ name: asName(token.name) }, options),
    ],
    rows: [
      { label: m.mail_time({}, options), value: timeText(token.createdAt) },
      { label: m.mail_address({}, options), value: address },
      {
        label: m.tokens_projects({}, options),
        value:
          projectNames === undefined
            ? m.tokens_all_projects({}, options)
            : projectsText(projectNames, locale),
        wraps: true,
      },
      { label: m.mail_valid_until({}, options), value: timeText(token.expiresAt) },
    ],
    advice:
      user.loginKind === 'Email'
        ? m.mail_token_created_advice({}, options)
        : m.mail_token_created_advice_external({ provider: user.loginKind }, options),
    action: {
      label: m.mail_token_created_action({}, options),
      url: `${publicUrl}/account/tokens`,
    },
  }
}
