import { createAuthorizationCode } from '@slipway/contract/login-provider'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, causesRedirect } from '../../../api/client.ts'
import { answerAddress, type SiteSignIn } from './site-sign-in.ts'

/**
 * Asks for a code and takes the browser to the site with it, as soon as somebody is signed in. Gives the
 * error when there is one, and `retry`.
 */
export function useSiteSignIn({ request, state }: SiteSignIn, signedIn: boolean) {
  const [error, setError] = useState<unknown>(null)
  const asking = useRef(false)
  const here = useRef(true)

  async function signIn() {
    // React may run an effect twice; a site gets one code.
    if (asking.current) return
    asking.current = true
    setError(null)
    try {
      const { token, issuer } = await call(createAuthorizationCode, { body: request })
      const answer = { code: token, state, iss: issuer }
      // In place of this page: going back must not ask for another code.
      if (here.current) location.replace(answerAddress(request.redirect_uri, answer))
    } catch (failure) {
      asking.current = false
      if (!causesRedirect(failure)) setError(failure)
    }
  }

  const begin = useEffectEvent(() => void signIn())
  useEffect(() => {
    here.current = true
    if (signedIn) begin()
    return () => {
      here.current = false
    }
  }, [signedIn])

  return { error, retry: () => void signIn() }
}
