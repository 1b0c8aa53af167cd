import type { CaptchaSolution } from '@slipway/contract/captcha'
import { useEffect, useEffectEvent } from 'react'
import { CaptchaField } from './captcha-field.tsx'
import { useCaptcha } from './use-captcha.ts'

/**
 * The captcha of a login after too many wrong passwords. A solution works once: each failed login
 * starts a new one, unless the solution itself was rejected.
 */
export default function LoginCaptcha({
  onSolution,
  error,
  failures,
}: {
  onSolution: (solution: CaptchaSolution | null) => void
  error: string | undefined
  /** How many logins failed since the captcha is shown. */
  failures: number
}) {
  const captcha = useCaptcha(onSolution)
  const renew = useEffectEvent(() => {
    if (error === undefined) void captcha.start()
    else captcha.reset()
  })
  useEffect(() => {
    if (failures > 0) renew()
  }, [failures])
  return <CaptchaField captcha={captcha} error={error} />
}
