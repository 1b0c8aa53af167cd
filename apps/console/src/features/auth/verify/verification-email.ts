import { readDraft, saveDraft } from '../../../api/drafts.ts'
import { sessionToken } from '../../../api/session.ts'

const name = 'verify-mail'

/** Identifies the session without revealing its token. */
const sessionSuffix = () => sessionToken()?.slice(-8) ?? ''

/** Saves in this tab that the account was sent a verification email, and its address if known. */
export const saveVerificationEmail = (to: string | undefined) =>
  saveDraft(name, { session: sessionSuffix(), ...(to && { to }) })

/** The saved verification email of this session's account; null if none was sent. */
export function savedVerificationEmail() {
  const { session, to } = readDraft(name)
  return session === sessionSuffix() ? { to } : null
}
