import { getProfile } from '@slipway/contract/account'
import { ApiError } from '@slipway/contract/client'
import type { ResponseOf } from '@slipway/contract/endpoint'
import {
  checkAuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, callSilently, causesRedirect } from '../../../api/client.ts'
import { isErrorForClient, responseUrl, type SiteSignIn, silentErrorOf } from './site-sign-in.ts'

type Check = ResponseOf<typeof checkAuthorizationRequest>

export type SignInStep =
  | { kind: 'signing-in' }
  | { kind: 'confirm'; check: Check; email: string }
  | { kind: 'login-again' }
  | { kind: 'failed'; error: unknown }

/** The next step: a step of the screen, the login page, or a response to the client. */
type Next =
  | SignInStep
  | { kind: 'login'; loginTicket: string }
  | { kind: 'respond'; check: Pick<Check, 'issuer' | 'responseMode'>; response: Response }

type Response = { code: string } | { error: string; error_description?: string }

const failure = (check: Check, error: string, description?: string): Next => ({
  kind: 'respond',
  check,
  response: { error, ...(description === undefined ? {} : { error_description: description }) },
})

/** The next step for a checked request; undefined if it gets a code. */
async function checkedStep(
  { request, repeated }: SiteSignIn,
  check: Check,
  { signedIn, isConfirmed }: { signedIn: boolean; isConfirmed: boolean },
): Promise<Next | undefined> {
  if (repeated) return failure(check, 'invalid_request', `${repeated} is given more than once`)
  if (check.error) return failure(check, check.error.code, check.error.description)
  if (!signedIn)
    return check.isSilent
      ? failure(check, 'login_required')
      : { kind: 'login', loginTicket: check.loginTicket }
  if (!check.needsConfirmation || isConfirmed) return undefined
  const { email } = await call(getProfile)
  return { kind: 'confirm', check, email: email || request.client_id }
}

async function nextStep(
  signIn: SiteSignIn,
  user: { signedIn: boolean; isConfirmed: boolean },
): Promise<Next> {
  const { request, repeated } = signIn
  const { prompt, response_mode: mode } = request
  // Most requests of a signed-in user need a code and nothing else.
  const isPlain = user.signedIn && !repeated && prompt === undefined && mode === undefined
  const body = request
  const check = isPlain ? undefined : await call(checkAuthorizationRequest, { body })
  const step = check && (await checkedStep(signIn, check, user))
  if (step) return step
  try {
    const send = check?.isSilent ? callSilently : call
    const { token, issuer } = await send(createAuthorizationCode, { body })
    const responseMode = check?.responseMode ?? 'query'
    return { kind: 'respond', check: { issuer, responseMode }, response: { code: token } }
  } catch (error) {
    if (check?.isSilent && error instanceof ApiError) return failure(check, silentErrorOf(error))
    if (error instanceof ApiError && error.code === 'login_required') return { kind: 'login-again' }
    if (!isErrorForClient(error)) throw error
    const checked = check ?? (await call(checkAuthorizationRequest, { body }))
    const stepForClient = await checkedStep(signIn, checked, user)
    if (!stepForClient) throw error
    return stepForClient
  }
}

async function respond(
  { request, state }: SiteSignIn,
  { issuer, responseMode }: Pick<Check, 'issuer' | 'responseMode'>,
  response: Response,
) {
  const { client_id, redirect_uri } = request
  const parameters = { ...response, ...(state === undefined ? {} : { state }), iss: issuer }
  // Replaces this page: going back must not request another code.
  if (responseMode === 'query') return location.replace(responseUrl(redirect_uri, parameters))
  const { postResponse } = await import('./post-response.ts')
  postResponse({ client_id, redirect_uri, ...parameters })
}

/**
 * Signs the user in to the client of a request: requests a code and sends it to the client, or the
 * error of the request. `onGuest` gets a ticket for the login page. Returns the screen's state.
 */
export function useSiteSignIn(
  signIn: SiteSignIn,
  signedIn: boolean,
  onGuest: (loginTicket: string) => void,
) {
  const [step, setStep] = useState<SignInStep>({ kind: 'signing-in' })
  /**
   * The number of the newest attempt: React may run an effect twice, but a client gets one
   * response.
   */
  const attempt = useRef(0)

  async function start(hasSession: boolean, isConfirmed = false) {
    attempt.current++
    const current = attempt.current
    setStep({ kind: 'signing-in' })
    const next = await nextStep(signIn, { signedIn: hasSession, isConfirmed }).catch(
      (error: unknown): Next => ({ kind: 'failed', error }),
    )
    if (attempt.current !== current) return
    if (next.kind === 'respond') await respond(signIn, next.check, next.response)
    else if (next.kind === 'login') onGuest(next.loginTicket)
    else if (next.kind !== 'failed' || !causesRedirect(next.error)) setStep(next)
  }

  const onSession = useEffectEvent((hasSession: boolean) => void start(hasSession))
  useEffect(() => {
    onSession(signedIn)
    return () => {
      attempt.current++
    }
  }, [signedIn])

  return {
    step,
    confirm: () => void start(signedIn, true),
    cancel: (check: Check) => void respond(signIn, check, { error: 'access_denied' }),
    retry: () => void start(signedIn),
  }
}
