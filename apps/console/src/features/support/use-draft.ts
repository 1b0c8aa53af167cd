import { useState } from 'react'
import { useProfile } from '../../shell/session/account-context.ts'
import { createDraft } from './draft.ts'

/** The draft of a form: of this user alone, whoever else signs in in this tab. */
export function useDraft(form: string) {
  const { id } = useProfile()
  const [draft] = useState(() => createDraft(`${id}:${form}`))
  return draft
}
