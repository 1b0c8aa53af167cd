import * as z from 'zod/mini'
import { isDomainName, toDomainName } from './domain-name.ts'
import { isEmailAddress, isSignUpEmail, lowercaseEmail } from './email.ts'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'
import { requiredText } from './required-text.ts'

/**
 * Characters that are invisible or change the text around them: controls, formats, lone surrogates.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}]/u
/** Zero-width joiners, which are part of emoji and of some scripts. */
const joiners = /[\u200c\u200d]/g

/** True for text on one line without invisible or broken characters. */
const isVisible = (value: string) => !invisible.test(value.replace(joiners, ''))

/** The number of visible characters: joiners alone are not a name. */
const visibleLength = (value: string) => [...value.replace(joiners, '')].length

/** Text on one line: trimmed, then checked to be visible and within its lengths. */
/* @__NO_SIDE_EFFECTS__ */
export const singleLineText = (
  message: FormMessage,
  min: number = limits.textMin,
  max: number = limits.nameMax,
) =>
  requiredText(message, max).check(
    z.minLength(min, message),
    z.refine((value) => isVisible(value) && visibleLength(value) >= min, message),
  )

/** Control characters except tabs and line breaks. A pasted log has them; a terminal obeys them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Text on several lines, such as a message: trimmed, with `\n` as line breaks and without control
 * characters. Markup is plain text. Fails with fewer than `min` visible characters.
 */
/* @__NO_SIDE_EFFECTS__ */
export const multilineText = (message: FormMessage, max: number, min: number = limits.textMin) =>
  z.string(message).check(
    z.overwrite((value) =>
      value.replace(/\r\n?/g, '\n').replace(controls, '').toWellFormed().trim(),
    ),
    z.maxLength(max, { error: 'form_too_long' satisfies FormMessage, abort: true }),
    z.refine((value) => [...value.replace(/[\s\p{Cf}]/gu, '')].length >= min, message),
  )

/** An email address to sign up with, folded. */
export const signUpEmail = z
  .string('form_enter_email' satisfies FormMessage)
  .check(
    z.trim(),
    z.overwrite(lowercaseEmail),
    z.refine(isSignUpEmail, 'form_enter_email' satisfies FormMessage),
  )

/** An email address to send to, folded. */
/* @__NO_SIDE_EFFECTS__ */
export const emailAddress = (message: FormMessage) =>
  z.string(message).check(z.trim(), z.overwrite(lowercaseEmail), z.refine(isEmailAddress, message))

/** True for a password with a lower-case letter, an upper-case letter, a digit and a symbol. */
export const isStrongPassword = (value: string) =>
  value.length >= limits.passwordMin &&
  value.length <= limits.passwordMax &&
  /\p{Ll}/u.test(value) &&
  /\p{Lu}/u.test(value) &&
  /\d/.test(value) &&
  /[^\p{L}\d\s]/u.test(value)

/** A password that a user chooses. Blanks are part of it. */
export const newPassword = z
  .string('form_enter_strong_password' satisfies FormMessage)
  .check(z.refine(isStrongPassword, 'form_enter_strong_password' satisfies FormMessage))

const domainText = (message: FormMessage) => z.string(message).check(z.overwrite(toDomainName))

/** A custom domain. */
/* @__NO_SIDE_EFFECTS__ */
export const domainName = (message: FormMessage) =>
  domainText(message).check(z.refine(isDomainName, message))

/** A project's custom domain; empty and null mean none. */
/* @__NO_SIDE_EFFECTS__ */
export const optionalDomain = (message: FormMessage) =>
  z.pipe(
    z.nullish(
      domainText(message).check(z.refine((value) => value === '' || isDomainName(value), message)),
    ),
    z.transform((value) => value || null),
  )
