import type { FormMessage } from '@slipway/contract/messages'
import { m } from '@slipway/phrases'

type Texts<Message extends FormMessage> = Record<Message, () => string>

/** What the forms of everybody may have to say. */
const guestTexts = {
  form_enter_email: () => m.form_enter_email(),
  form_enter_password: () => m.form_enter_password(),
  form_enter_name: () => m.form_enter_name(),
  form_enter_your_name: () => m.form_enter_your_name(),
  form_enter_strong_password: () => m.form_enter_strong_password(),
  form_repeat_password: () => m.form_repeat_password(),
  form_verify_not_robot: () => m.form_verify_not_robot(),
  form_too_long: () => m.form_too_long(),
  form_invalid: () => m.form_invalid(),
} satisfies Partial<Texts<FormMessage>>

/** The texts of whoever is signed in: the others, so that each message has one. */
export type AccountFormTexts = Texts<Exclude<FormMessage, keyof typeof guestTexts>>

const texts: Partial<Texts<FormMessage>> = { ...guestTexts }

/** Adds the texts of the pages behind the login, which the login page need not load. */
export function addFormTexts(more: AccountFormTexts) {
  Object.assign(texts, more)
}

/** What a form says of a field that does not fit. */
export const formMessageText = (message: FormMessage): string =>
  texts[message]?.() ?? m.form_invalid()
