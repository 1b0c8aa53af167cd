import { createAuthorizationCode } from '@slipway/contract/login-provider'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, causesRedirect } from '../../../api/client.ts'
import { responseUrl, type SiteSignIn } from './site-sign-in.ts'

/**
 * Once the user is signed in, requests a code and redirects to the site with it. Returns the
 * error, if any, and `retry`.
 */
export function useSiteSignIn({ request, state }: SiteSignIn, signedIn: boolean) {
  const [error, setError] = useState<unknown>(null)
  const isRequesting = useRef(false)
  const isMounted = useRef(true)

  async function signIn() {
    // React may run an effect twice; a site gets one code.
    if (isRequesting.current) return
    isRequesting.current = true
    setError(null)
    try {
      const { token, issuer } = await call(createAuthorizationCode, { body: request })
      const response = { code: token, state, iss: issuer }
      // Replaces this page: going back must not request another code.
      if (isMounted.current) location.replace(responseUrl(request.redirect_uri, response))
    } catch (failure) {
      isRequesting.current = false
      if (!causesRedirect(failure)) setError(failure)
    }
  }

  const onSignedIn = useEffectEvent(() => void signIn())
  useEffect(() => {
    isMounted.current = true
    if (signedIn) onSignedIn()
    return () => {
      isMounted.current = false
    }
  }, [signedIn])

  return { error, retry: () => void signIn() }
}
