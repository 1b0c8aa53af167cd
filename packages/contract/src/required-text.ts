import * as z from 'zod/mini'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'

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
