import * as z from 'zod/mini'
import { limits } from './limits.ts'
import type { FormMessage } from './messages.ts'

/** Some text, whatever it is: what a login form asks for. */
/* @__NO_SIDE_EFFECTS__ */
export const anyText = (message: FormMessage, max: number = limits.emailMax) =>
  z
    .string(message)
    .check(
      z.trim(),
      z.minLength(1, message),
      z.maxLength(max, 'form_too_long' satisfies FormMessage),
    )
