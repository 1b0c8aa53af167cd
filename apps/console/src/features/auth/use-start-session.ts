import { startSession } from '../../api/session.ts'
import { useIsOnPage } from '../../shell/navigation/is-on-page.ts'
import { deleteEnteredEmail } from './entered-email.ts'

/**
 * Starts the session that a form received. If the user has left the page meanwhile, ends it
 * instead.
 */
export function useStartSession() {
  const isOnPage = useIsOnPage()
  return async (token: string) => {
    if (isOnPage()) {
      deleteEnteredEmail()
      return startSession(token)
    }
    const { endUnusedSession } = await import('./unused-session.ts')
    endUnusedSession(token)
  }
}
