import * as z from 'zod/mini'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'

/** Some text, whatever it is: what a login form asks for. */
/* @__NO_SIDE_EFFECTS__ */
export const requiredText = (message: FormMessage, max: number = limits.emailMax) =>
  z
    .string(message)
    .check(
      z.trim(),
      z.minLength(1, message),
      z.maxLength(max, 'form_too_long' satisfies FormMessage),
    )
