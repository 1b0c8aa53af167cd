import { useState } from 'react'
import { useProfile } from '../../shell/session/account-context.ts'
import { createDraft } from './draft.ts'

/** The draft of a form for this user: another user in this tab does not see it. */
export function useDraft(form: string) {
  const { id } = useProfile()
  const [draft] = useState(() => createDraft(`${id}:${form}`))
  return draft
}
