import { startSession } from '../../api/session.ts'
import { useIsOnPage } from '../../shell/navigation/is-on-page.ts'
import { forgetTypedAddress } from './entered-email.ts'

/**
 * Starts the session that a form of the page was given; once the page is left it is given up instead, so
 * that nobody is pulled away from where they have gone.
 */
export function useSessionStart() {
  const isHere = useIsOnPage()
  return async (token: string) => {
    if (isHere()) {
      forgetTypedAddress()
      return startSession(token)
    }
    const { endUnusedSession } = await import('./unused-session.ts')
    endUnusedSession(token)
  }
}
