import * as z from 'zod/mini'
import { captchaSolution } from './captcha.ts'
import { lowercaseEmail } from './email.ts'
import { endpoint } from './endpoint.ts'
import { newPassword, signUpEmail, singleLineText } from './field-schemas.ts'
import { limits } from './limits.ts'
import { requiredText, typedPassword } from './required-text.ts'
import { session } from './sessions.ts'

const token = z.string().check(z.trim(), z.minLength(1), z.maxLength(512))

export const signUp = endpoint('POST /auth/email/sign-up', {
  summary: 'Create an account and send its verification email',
  access: 'public',
  body: z.object({
    name: singleLineText('form_enter_your_name'),
    email: signUpEmail,
    password: newPassword,
    __captcha_solution__: captchaSolution,
  }),
  response: session,
  errors: ['email_already_exists', 'action_limit_reached'],
})

export const forgotPassword = endpoint('POST /auth/email/forgot-password', {
  summary: 'Send an email to reset the password; an unknown address has the same response',
  access: 'public',
  body: z.object({ email: requiredText('form_enter_email').check(z.overwrite(lowercaseEmail)) }),
  errors: ['action_limit_reached'],
})

/** Also accepts the token of a verification email, and verifies the account. */
export const resetPassword = endpoint('POST /auth/email/reset-password', {
  summary: 'Set a new password with an emailed token; ends every session of the account',
  access: 'public',
  body: z.object({ password: newPassword, token }),
  errors: ['invalid_token'],
})

/**
 * Verifies an account. Ends its sessions, unless the caller proves to be the user who signed up,
 * by the session or the password (decision 12).
 */
export const verifyEmail = endpoint('POST /auth/email/verify', {
  summary: 'Verify an account with the emailed token',
  access: 'public',
  body: z.object({
    token,
    /**
     * Without it, the sessions end. With null, the call fails with `invalid_credentials` instead.
     */
    password: z.nullish(typedPassword()),
  }),
  invalid: 'invalid_params',
  errors: ['invalid_params', 'invalid_token', 'invalid_credentials', 'already_verified'],
})

export const sendVerifyEmail = endpoint('POST /auth/email/send-verify', {
  summary: 'Send the verification email again; the body has the bearer token',
  access: 'public',
  body: z.object({ token }),
  errors: ['unauthorized', 'already_verified', 'action_limit_reached'],
})

/** The form of /auth/reset-password, which has the password twice. */
export const resetPasswordForm = z
  .object({
    password: newPassword,
    confirmation: z.string().check(z.maxLength(limits.bodyBytes)),
  })
  .check(
    z.refine((form) => form.password === form.confirmation, {
      path: ['confirmation'],
      error: 'form_repeat_password',
    }),
  )
