import type { OpenSession } from './sessions.ts'
import type { Visit } from './visit.ts'

/**
 * Whether the user may edit: `granted`, `ended` when the console has revoked access, or `expired`
 * when the user must authorize again in the browser.
 */
export type AccessState = 'granted' | 'ended' | 'expired'

/**
 * Checks with the console, which revokes access with the membership. Deletes an ended session.
 * Rejects when the console is unavailable, so that every edit is authorized.
 */
export const checkAccess = async (
  { site }: Visit,
  { id, subject, access }: OpenSession,
): Promise<AccessState> => {
  const { signIn } = site.settings()
  if (access.expiresAt <= Date.now()) return 'expired'
  if (signIn && (await site.provider.acceptsToken(signIn, subject, access.token))) return 'granted'
  site.log.info({ subject }, "A user's edit access was revoked")
  try {
    await site.sessions.end(id)
  } catch (error) {
    // The session gives no access: every edit is checked with the console.
    site.log.error({ reason: String(error) }, 'An ended session could not be deleted')
  }
  return 'ended'
}
