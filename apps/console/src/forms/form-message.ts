import type { FormMessage } from '@slipway/contract/form-messages'
import { m } from '@slipway/phrases'

/** The text of a message. `max`: how many characters the field accepts. */
type MessageText = (max: number) => string

/** The texts of the forms before the login. */
const generalTexts = {
  form_enter_email: () => m.form_enter_email(),
  form_enter_password: () => m.form_enter_password(),
  form_too_long: (max: number) => m.form_at_most({ max }),
  form_invalid: () => m.form_invalid(),
  form_enter_your_name: () => m.form_enter_your_name(),
  form_enter_strong_password: () => m.form_enter_strong_password(),
  form_common_password: () => m.form_common_password(),
  form_repeat_password: () => m.form_repeat_password(),
  form_verify_not_robot: () => m.form_verify_not_robot(),
} satisfies Partial<Record<FormMessage, MessageText>>

export type AreaFormMessages = Record<Exclude<FormMessage, keyof typeof generalTexts>, MessageText>

let texts: Partial<Record<FormMessage, MessageText>> = generalTexts

/** Adds the texts of forms behind the login. */
export const addFormMessages = (areaTexts: AreaFormMessages) => {
  texts = { ...generalTexts, ...areaTexts }
}

export const hasFormMessage = (message: FormMessage) => message in texts

/** The text of a message of the contract. `max`: the limit of a field that is too long. */
export const formMessageText = (message: FormMessage, max = 0): string =>
  texts[message]?.(max) ?? m.form_invalid()
