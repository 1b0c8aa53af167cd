import * as z from 'zod/mini'
import { isDomainName } from './domain-name.ts'
import { isEmailAddress, isSignUpEmail } from './email.ts'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'
import { requiredText } from './required-text.ts'

/** Characters that show nothing or turn what is around them: controls, formats, halves of a pair. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/u
/** The zero-width joiner and the variation selectors make up emoji and some scripts. */
const joiners = /[\u200c\u200d]/g

/** True for text of one line that can be seen as it is: no control, format or broken characters. */
const isVisible = (value: string) => !unseen.test(value.replace(joiners, ''))

/** The characters somebody sees, so that joiners alone do not make up a name. */
const seenLength = (value: string) => [...value.replace(joiners, '')].length

/** Text of one line as the forms mean it: trimmed before it is checked, visible, within bounds. */
/* @__NO_SIDE_EFFECTS__ */
export const singleLineText = (
  message: FormMessage,
  min: number = limits.textMin,
  max: number = limits.nameMax,
) =>
  requiredText(message, max).check(
    z.minLength(min, message),
    z.refine((value) => isVisible(value) && seenLength(value) >= min, message),
  )

/** Control characters but for tabs and line breaks: what a pasted log has, and a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Text of several lines, such as a message, which may be pasted from anywhere: trimmed, each line break one
 * `\n`, control characters left out; markup is plain text like any other. Refused when there is less to
 * read than `min` characters.
 */
/* @__NO_SIDE_EFFECTS__ */
export const multilineText = (message: FormMessage, max: number, min: number = limits.textMin) =>
  z.string(message).check(
    z.overwrite((value) =>
      value.replace(/\r\n?/g, '\n').replace(controls, '').toWellFormed().trim(),
    ),
    z.maxLength(max, 'form_too_long' satisfies FormMessage),
    z.refine((value) => [...value.replace(/[\s\p{Cf}]/gu, '')].length >= min, message),
  )

/** An e-mail address to sign up with, in lower case. */
export const signUpEmail = z
  .string('form_enter_email' satisfies FormMessage)
  .check(
    z.trim(),
    z.toLowerCase(),
    z.refine(isSignUpEmail, 'form_enter_email' satisfies FormMessage),
  )

/** An e-mail address to write to, in lower case. */
/* @__NO_SIDE_EFFECTS__ */
export const emailAddress = (message: FormMessage) =>
  z.string(message).check(z.trim(), z.toLowerCase(), z.refine(isEmailAddress, message))

/** True for a password with a lower-case and an upper-case letter, a digit and another symbol. */
export const isStrongPassword = (value: string) =>
  value.length >= limits.passwordMin &&
  value.length <= limits.passwordMax &&
  /\p{Ll}/u.test(value) &&
  /\p{Lu}/u.test(value) &&
  /\d/.test(value) &&
  /[^\p{L}\d\s]/u.test(value)

/** A password to be set. */
export const newPassword = z
  .string('form_enter_strong_password' satisfies FormMessage)
  .check(z.trim(), z.refine(isStrongPassword, 'form_enter_strong_password' satisfies FormMessage))

/** A project's custom domain: empty or null means none. */
/* @__NO_SIDE_EFFECTS__ */
export const optionalDomain = (message: FormMessage) =>
  z.pipe(
    z.nullish(
      z.string(message).check(
        z.trim(),
        z.toLowerCase(),
        z.refine((value) => value === '' || isDomainName(value), message),
      ),
    ),
    z.transform((value) => value || null),
  )
