import type { FormMessage } from '@slipway/contract/form-messages'
import { hasFormMessage } from './form-message.ts'

/**
 * Loads the texts of these messages, so that `formMessageText` has them. Texts of forms behind the
 * login are in a separate chunk. If it fails to load, each reads as an invalid value.
 */
export async function loadFormMessages(messages: readonly FormMessage[]): Promise<void> {
  if (messages.every(hasFormMessage)) return
  await import('./area-form-messages.ts').catch(() => undefined)
}
