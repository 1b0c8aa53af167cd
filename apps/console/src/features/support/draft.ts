import { type Draft, deleteDraft, readDraft, saveDraft } from '../../api/drafts.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'

export type HeldDraft = ReturnType<typeof createDraft>

/** Moves what was not sent in a ticket into the form of a new one, unless a message is begun there. */
export function takeAlong(unsent: HeldDraft, newTicket: HeldDraft) {
  const { text } = unsent.held
  if (!text || newTicket.held.message) return
  newTicket.keep({ ...newTicket.held, message: text })
  unsent.sent()
}

/**
 * What somebody types into a form, kept in the tab until it is sent, and the key it is sent with: the same
 * one as long as the content is, so that what is sent again after an answer got lost counts once. Both
 * survive a reload.
 */
export function createDraft(name: string) {
  const { attempted: attemptedBefore, key: keyBefore, ...held } = readDraft(name)
  let [attempted, key] = [attemptedBefore, keyBefore]
  let fields: Draft = held

  const keep = () => saveDraft(name, { ...fields, attempted, key })

  return {
    /** The fields as they were kept. */
    held,
    keep(values: Draft) {
      fields = values
      if (Object.values(values).some(Boolean)) keep()
      else deleteDraft(name)
    },
    /** The key to send a content with. */
    keyFor(content: object) {
      const attempt = JSON.stringify(content)
      if (attempt !== attempted || !key) {
        attempted = attempt
        key = newIdempotencyKey()
        keep()
      }
      return key
    },
    /** It is sent: the same words once more are another message. */
    sent() {
      attempted = key = undefined
      deleteDraft(name)
    },
  }
}
