import type { FormMessage } from '@slipway/contract/form-messages'
import { m } from '@slipway/phrases'

/** The text of each message; `max`: how many characters a field takes. */
type Texts<Message extends FormMessage> = Record<Message, (max: number) => string>

/** What the login form may have to say. */
const loginTexts = {
  form_enter_email: () => m.form_enter_email(),
  form_enter_password: () => m.form_enter_password(),
  form_too_long: (max) => m.form_at_most({ max }),
  form_invalid: () => m.form_invalid(),
} satisfies Partial<Texts<FormMessage>>

/** The others, so that each message has one. */
export type PageFormTexts = Texts<Exclude<FormMessage, keyof typeof loginTexts>>

const texts: Partial<Texts<FormMessage>> = { ...loginTexts }

/** Adds the texts of the other pages, which the login page need not load. */
export function addFormTexts(more: Partial<PageFormTexts>) {
  Object.assign(texts, more)
}

/** What a form says of a field that does not fit; `max`: how much it takes, where that is what it exceeds. */
export const formMessageText = (message: FormMessage, max = 0): string =>
  texts[message]?.(max) ?? m.form_invalid()
