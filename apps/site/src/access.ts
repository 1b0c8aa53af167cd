import type { OpenSession } from './sessions.ts'
import type { Visit } from './visit.ts'

/**
 * Whether the user may edit: `granted`, `ended` when the console has revoked access, or `expired`
 * when the user must authorize again in the browser. Rejects when the console is unavailable, so
 * that nobody edits without its confirmation.
 */
export type AccessState = 'granted' | 'ended' | 'expired'

/** Checks with the console, which revokes access with the membership. Deletes an ended session. */
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
    // A session that could not be deleted opens nothing: the console is checked each time.
    site.log.error({ reason: String(error) }, 'A session that has ended could not be forgotten')
  }
  return 'ended'
}
