import type { OpenSession } from './sessions.ts'
import type { Visit } from './visit.ts'

/**
 * Whether whoever signed in may edit at this moment: `granted`, `ended` when the console no longer lets
 * them, or `expired` when it has to be asked anew through their browser. Rejects when the console cannot
 * be asked, so nobody edits whom it does not vouch for.
 */
export type AccessState = 'granted' | 'ended' | 'expired'

/** Asks the console, which ends access with the membership; a session that has ended is forgotten. */
export const checkAccess = async (
  { site }: Visit,
  { id, subject, access }: OpenSession,
): Promise<AccessState> => {
  const { signIn } = site.settings()
  if (access.expiresAt <= Date.now()) return 'expired'
  if (signIn && (await site.provider.vouchesFor(signIn, subject, access.token))) return 'granted'
  site.log.info({ subject }, 'Somebody may no longer edit')
  try {
    await site.sessions.end(id)
  } catch (error) {
    // Known or not, it opens nothing: the console is asked again next time.
    site.log.error({ reason: String(error) }, 'A session that has ended could not be forgotten')
  }
  return 'ended'
}
