import { useState } from 'react'
import { type Draft, forgetDraft, keepDraft, readDraft } from '../../api/drafts.ts'
import { useProfile } from '../../shell/account-context.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

/**
 * What somebody types into a form, kept in the tab until it is sent, and the key it is sent with: the same
 * one as long as the content is, so that what is sent again after an answer got lost counts once. Both
 * survive a reload, and are for that user alone.
 */
export function useDraft(form: string) {
  const name = `${useProfile().id}:${form}`
  const [draft] = useState(() => createDraft(name))
  return draft
}

/** The draft kept under a name; see `useDraft`. */
export function createDraft(name: string) {
  const held = readDraft(name)
  let { attempted, key } = held
  let fields: Draft = held

  const keep = () => keepDraft(name, { ...fields, attempted, key })

  return {
    held,
    keep(values: Draft) {
      fields = values
      if (Object.values(values).some(Boolean)) keep()
      else forgetDraft(name)
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
    /** It is sent: the same words sent once more are another message. */
    sent() {
      attempted = key = undefined
      forgetDraft(name)
    },
  }
}
