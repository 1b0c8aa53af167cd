import { type Draft, deleteDraft, readDraft, saveDraft } from '../../api/drafts.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'

export type StoredDraft = ReturnType<typeof createDraft>

/**
 * Moves an unsent message from a closed ticket into the new ticket form, unless that has a
 * message.
 */
export function moveDraft(unsent: StoredDraft, newTicket: StoredDraft) {
  const { text } = unsent.fields
  if (!text || newTicket.fields.message) return
  newTicket.save({ ...newTicket.fields, message: text })
  unsent.clear()
}

/**
 * A form's fields, stored in the tab until they are sent, with an idempotency key. The key
 * changes only with the content, so that a retry after a lost response counts once. Both survive a
 * reload.
 */
export function createDraft(name: string) {
  const { sentContent: storedContent, key: storedKey, ...storedFields } = readDraft(name)
  let [sentContent, key] = [storedContent, storedKey]
  let fields: Draft = storedFields

  const store = () => saveDraft(name, { ...fields, sentContent, key })

  return {
    fields: storedFields,
    save(values: Draft) {
      fields = values
      if (Object.values(values).some(Boolean)) store()
      else deleteDraft(name)
    },
    keyFor(content: object) {
      const serialized = JSON.stringify(content)
      if (serialized !== sentContent || !key) {
        sentContent = serialized
        key = newIdempotencyKey()
        store()
      }
      return key
    },
    /** Deletes the draft: sending the same text again is another message. */
    clear() {
      sentContent = key = undefined
      deleteDraft(name)
    },
  }
}
