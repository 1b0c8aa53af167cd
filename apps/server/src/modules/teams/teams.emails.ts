import { type Locale, m } from '@slipway/phrases'
import { asName, type Email, inTitle } from '../mail/mail.service.ts'

/**
 * The email of an invitation. Its link only shows the invitation, because email clients and
 * scanners open links; the user accepts it in the console.
 */
export function invitationEmail({
  locale,
  email,
  inviteeName,
  loginProvider,
  inviterName,
  teamName,
  publicUrl,
}: Record<'email' | 'inviterName' | 'teamName' | 'publicUrl', string> & {
  locale: Locale
  /** Undefined for an address without a verified account. */
  inviteeName: string | undefined
  /** The provider to log in with, for an address that cannot sign up with a password. */
  loginProvider: string | undefined
}): Email {
  const names = { inviter: asName(inviterName), team: asName(teamName) }
  const titled = { inviter: inTitle(names.inviter), team: inTitle(names.team) }
  const options = { locale }
  const hasAccount = inviteeName !== undefined
  const instruction =
    loginProvider === undefined
      ? m.teams_email_invitation_sign_up({ email }, options)
      : m.teams_email_invitation_log_in({ email, provider: loginProvider }, options)
  return {
    locale,
    kind: 'team',
    subject: m.teams_email_invitation_subject(titled, options),
    paragraphs: [
      hasAccount
        ? m.mail_greeting({ name: asName(inviteeName) }, options)
        : m.teams_email_invitation_greeting({}, options),
      m.teams_email_invitation_text({ team: names.team }, options),
      hasAccount ? m.teams_email_invitation_respond({}, options) : instruction,
    ],
    action: {
      label: m.teams_email_invitation_action({}, options),
      url: `${publicUrl}/teams/invitations?email=${encodeURIComponent(email)}`,
      showsUrl: true,
    },
    note: m.teams_email_invitation_note({ email, inviter: names.inviter }, options),
    reason: m.mail_reason_invitation({}, options),
  }
}
