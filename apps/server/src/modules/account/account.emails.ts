import { cityOf, deviceName, formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email, type EmailRow } from '../mail/mail.service.ts'

type Text = (inputs: object, options: { locale: Locale }) => string

const texts = {
  lockout: {
    subject: m.mail_lockout_subject,
    text: m.mail_lockout_text,
    time: m.mail_lockout_time,
    advice: m.mail_lockout_advice,
    note: m.mail_lockout_note,
  },
  newDevice: {
    subject: m.mail_new_device_subject,
    text: m.mail_new_device_text,
    time: m.mail_time,
    advice: m.mail_new_device_advice,
  },
  passwordChanged: {
    subject: m.mail_password_changed_subject,
    text: m.mail_password_changed_text,
    time: m.mail_time,
    advice: m.mail_password_changed_advice,
  },
} satisfies Record<string, Record<'subject' | 'text' | 'time' | 'advice', Text> & { note?: Text }>

type Device = { browser: string | null; system: string | null; timeZone: string | null }

/** The device of a login, and the city of its time zone. */
function deviceRows(device: Device, locale: Locale): EmailRow[] {
  const city = cityOf(device.timeZone)
  return [
    { label: m.mail_device({}, { locale }), value: deviceName(device, locale), wraps: true },
    ...(city === null
      ? []
      : [{ label: m.mail_place({}, { locale }), value: m.mail_place_city({ city }, { locale }) }]),
  ]
}

/**
 * Tells an owner what happened to their account, when and from which network address, with a link
 * to set a new password. A user of an outside provider has none, and gets a link to the sessions.
 */
export function eventEmail(
  event: keyof typeof texts,
  {
    user,
    locale,
    publicUrl,
    address,
    time,
    device,
  }: {
    user: { name: string; loginKind: string }
    locale: Locale
    publicUrl: string
    address: string
    time: Date
    /** Undefined for an event whose device is not known. */
    device?: Device
  },
): Email {
  const options = { locale }
  const { note, ...text }: (typeof texts)[typeof event] & { note?: Text } = texts[event]
  const hasPassword = user.loginKind === 'Email'
  return {
    locale,
    kind: 'security',
    subject: text.subject({}, options),
    paragraphs: [m.mail_greeting({ name: asName(user.name) }, options), text.text({}, options)],
    rows: [
      {
        label: text.time({}, options),
        value: formatUtcDate(time, locale, { month: 'long', year: true, time: true }),
      },
      ...(device ? deviceRows(device, locale) : []),
      { label: m.mail_address({}, options), value: address },
    ],
    ...(hasPassword
      ? {
          advice: text.advice({}, options),
          action: {
            label: m.mail_reset_action({}, options),
            url: `${publicUrl}/auth/forgot-password`,
          },
        }
      : {
          // The only event of a user without a password is a login.
          advice: m.mail_new_device_advice_external({ provider: user.loginKind }, options),
          action: {
            label: m.mail_new_device_action_external({}, options),
            url: `${publicUrl}/account/security`,
          },
        }),
    ...(note && { note: note({}, options) }),
  }
}
