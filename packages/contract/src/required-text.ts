import * as z from 'zod/mini'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'

/** A password as it is typed to log in. Blanks are part of it. */
/* @__NO_SIDE_EFFECTS__ */
export const typedPassword = () =>
  z.string('form_enter_password' satisfies FormMessage).check(
    z.minLength(1, 'form_enter_password' satisfies FormMessage),
    z.maxLength(limits.credentialMax, {
      error: 'form_too_long' satisfies FormMessage,
      abort: true,
    }),
  )

/**
 * Text of at least one character after trimming. `message` is the error if it is missing. Later
 * checks do not run on a text that is too long.
 */
/* @__NO_SIDE_EFFECTS__ */
export const requiredText = (message: FormMessage, max: number = limits.credentialMax) =>
  z
    .string(message)
    .check(
      z.trim(),
      z.minLength(1, message),
      z.maxLength(max, { error: 'form_too_long' satisfies FormMessage, abort: true }),
    )
