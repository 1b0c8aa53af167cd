import { type Draft, deleteDraft, readDraft, saveDraft } from '../../api/drafts.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'

export type StoredDraft = ReturnType<typeof createDraft>

/**
 * Moves an unsent message from a closed ticket into the new ticket form, unless that has a
 * message.
 */
export function moveDraft(unsent: StoredDraft, newTicket: StoredDraft) {
  const { text } = unsent.held
  if (!text || newTicket.held.message) return
  newTicket.keep({ ...newTicket.held, message: text })
  unsent.sent()
}

/**
 * A form's fields, stored in the tab until they are sent, with an idempotency key. The key stays
 * the same as long as the content does, so that a retry after a lost response counts once. Both
 * survive a reload.
 */
export function createDraft(name: string) {
  const { attempted: attemptedBefore, key: keyBefore, ...held } = readDraft(name)
  let [attempted, key] = [attemptedBefore, keyBefore]
  let fields: Draft = held

  const keep = () => saveDraft(name, { ...fields, attempted, key })

  return {
    /** The stored fields. */
    held,
    keep(values: Draft) {
      fields = values
      if (Object.values(values).some(Boolean)) keep()
      else deleteDraft(name)
    },
    /** The idempotency key for this content. */
    keyFor(content: object) {
      const attempt = JSON.stringify(content)
      if (attempt !== attempted || !key) {
        attempted = attempt
        key = newIdempotencyKey()
        keep()
      }
      return key
    },
    /** Deletes the draft: sending the same text again is another message. */
    sent() {
      attempted = key = undefined
      deleteDraft(name)
    },
  }
}
