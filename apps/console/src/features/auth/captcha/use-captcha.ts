import { type CaptchaSolution, getCaptchaChallenge } from '@slipway/contract/captcha'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { captchaLifetime } from './captcha-lifetime.ts'
import { searchCaptcha } from './captcha-search.ts'
import { startSolvers } from './captcha-solvers.ts'

/** Why the widget went back to idle; `cause` is the error of the call. */
export type CaptchaFailure =
  | { reason: 'failed_to_verify'; cause: unknown }
  | { reason: 'failed_to_solve' }
  | { reason: 'expired' }

export type CaptchaState =
  | { step: 'idle'; failure?: CaptchaFailure }
  | { step: 'fetching' }
  | { step: 'solving' }
  | { step: 'verified'; expiresAt: number }

/**
 * Fetches a challenge and solves it in workers. `onSolution` receives the solution, and null once
 * it is unusable. Unmounting aborts the search.
 */
export function useCaptcha(onSolution: (solution: CaptchaSolution | null) => void) {
  const [state, setState] = useState<CaptchaState>({ step: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  function reset(failure?: CaptchaFailure) {
    running.current?.abort()
    running.current = null
    setState({ step: 'idle', failure })
    onSolution(null)
  }

  async function start() {
    running.current?.abort()
    const attempt = new AbortController()
    running.current = attempt
    const { signal } = attempt
    onSolution(null)
    setState({ step: 'fetching' })
    // The workers load their script while the challenge is fetched.
    const solvers = startSolvers()
    try {
      const challenge = await call(getCaptchaChallenge, undefined, signal)
      const expiresAt = Date.now() + captchaLifetime(challenge, Date.now())
      setState({ step: 'solving' })
      const number = await searchCaptcha(challenge, solvers, signal).catch(() => null)
      if (signal.aborted) return
      if (number === null) return reset({ reason: 'failed_to_solve' })
      setState({ step: 'verified', expiresAt })
      onSolution({ ...challenge, number })
    } catch (cause) {
      if (!signal.aborted) reset({ reason: 'failed_to_verify', cause })
    } finally {
      for (const solver of solvers) solver.stop()
    }
  }

  const expire = useEffectEvent(() => reset({ reason: 'expired' }))
  const expiresAt = state.step === 'verified' ? state.expiresAt : null
  useEffect(() => {
    if (expiresAt === null) return
    const timer = setTimeout(expire, expiresAt - Date.now())
    // Timers stop while the device sleeps.
    const onVisible = () => {
      if (Date.now() >= expiresAt) expire()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [expiresAt])

  return { state, start, reset }
}

export type Captcha = ReturnType<typeof useCaptcha>
