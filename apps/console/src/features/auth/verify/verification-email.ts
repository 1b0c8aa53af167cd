import { readDraft, saveDraft } from '../../../api/drafts.ts'
import { sessionToken } from '../../../api/session.ts'

const name = 'verify-mail'

/** Tells one session from another, and is no key to it. */
const mark = () => sessionToken()?.slice(-8) ?? ''

/** Remembers in this tab that the session's account was sent its verification mail, and where to if that is known. */
export const keepVerifyMail = (to: string | undefined) =>
  saveDraft(name, { session: mark(), ...(to && { to }) })

/** What this tab knows of the verification mail of the session's account; null where none was sent. */
export function keptVerifyMail() {
  const { session, to } = readDraft(name)
  return session === mark() ? { to } : null
}
