import { m } from '@slipway/phrases'
import Check from 'lucide-react/icons/check'
import { useId } from 'react'
import { errorMessage } from '../../../api/error-message.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import type { Captcha, CaptchaFailure, CaptchaState } from './use-captcha.ts'

const stepTexts: Record<CaptchaState['step'], () => string> = {
  idle: () => '',
  fetching: () => m.captcha_fetching(),
  solving: () => m.captcha_solving(),
  verified: () => m.captcha_verified(),
}

const failureTexts: Record<CaptchaFailure['reason'], () => string> = {
  failed_to_verify: () => m.captcha_failed_to_verify(),
  failed_to_solve: () => m.captcha_failed_to_solve(),
  expired: () => m.captcha_expired(),
}

/**
 * 'I'm not a robot': a checkbox that is checked once the challenge is solved. It cannot be
 * unchecked. `error` is the form's error, shown while the widget has no error.
 */
export function CaptchaField({ captcha, error }: { captcha: Captcha; error?: string | undefined }) {
  const id = useId()
  const { state } = captcha
  const busy = state.step === 'fetching' || state.step === 'solving'
  const failure = state.step === 'idle' ? state.failure : undefined
  const invalid = Boolean(failure || error)
  return (
    <div className="grid gap-1.5">
      <div
        className={classNames(
          'relative flex min-h-11 items-center gap-3 rounded-md border bg-surface px-3 transition-colors',
          invalid ? 'border-danger' : 'border-line',
        )}
      >
        <span className="relative z-1 grid size-5 shrink-0 place-items-center">
          <input
            id={id}
            type="checkbox"
            checked={state.step === 'verified'}
            aria-required
            aria-busy={busy || undefined}
            aria-invalid={invalid || undefined}
            aria-describedby={invalid ? `${id}-error` : undefined}
            onChange={() => state.step === 'idle' && captcha.start()}
            className={classNames(
              'size-5 appearance-none rounded-md border bg-surface checked:border-accent-fill checked:bg-accent-fill forced-colors:appearance-auto',
              busy ? 'border-transparent' : 'border-control',
            )}
          />
          <span className="pointer-events-none absolute inset-0 grid place-items-center text-accent">
            {busy && <Spinner />}
            {state.step === 'verified' && (
              <Check className="size-4 text-on-fill forced-colors:hidden" aria-hidden />
            )}
          </span>
        </span>
        <label
          htmlFor={id}
          className="font-medium whitespace-nowrap after:absolute after:-inset-px after:content-['']"
        >
          {m.captcha_label()}
        </label>
        <span
          role="status"
          className={classNames(
            'ml-auto max-[22rem]:sr-only',
            state.step === 'verified' ? 'text-success' : 'text-muted',
          )}
        >
          {stepTexts[state.step]()}
        </span>
      </div>
      {invalid && (
        <div id={`${id}-error`} role="alert" className="text-danger">
          {failure ? failureTexts[failure.reason]() : error}
          {failure?.reason === 'failed_to_verify' && (
            <div className="text-muted">{errorMessage(failure.cause)}</div>
          )}
        </div>
      )}
    </div>
  )
}
