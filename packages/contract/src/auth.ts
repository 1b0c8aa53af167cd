import * as z from 'zod/mini'
import { captchaSolution } from './captcha.ts'
import { endpoint } from './endpoint.ts'
import { newPassword, signUpEmail, singleLineText } from './field-schemas.ts'
import { limits } from './limits.ts'
import { requiredText } from './required-text.ts'
import { session } from './sessions.ts'

const token = z.string().check(z.trim(), z.minLength(1), z.maxLength(512))

export const signUp = endpoint('POST /auth/email/sign-up', {
  summary: 'Create an account; its verification mail is sent',
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
  summary: 'Send a mail to set a new password; answers the same for an unknown address',
  access: 'public',
  body: z.object({ email: requiredText('form_enter_email').check(z.toLowerCase()) }),
  errors: ['action_limit_reached'],
})

/** Takes the token of a verification mail, too, and verifies the account. */
export const resetPassword = endpoint('POST /auth/email/reset-password', {
  summary: 'Set a new password with a mailed token; ends every session of the account',
  access: 'public',
  body: z.object({ password: newPassword, token }),
  errors: ['invalid_token'],
})

/**
 * With the token alone every session of the account ends. They go on when the bearer token is one of them,
 * or the password is right: then whoever opened the link is who signed up (decision 12).
 */
export const verifyEmail = endpoint('POST /auth/email/verify', {
  summary: 'Verify an account with the mailed token',
  access: 'public',
  body: z.object({
    token,
    /** Null: refuse with `invalid_credentials` where a password is needed for the sessions to go on. */
    password: z.nullish(requiredText('form_enter_password')),
  }),
  invalid: 'invalid_params',
  errors: ['invalid_params', 'invalid_token', 'invalid_credentials', 'already_verified'],
})

export const sendVerifyEmail = endpoint('POST /auth/email/send-verify', {
  summary: 'Send the verification mail again; takes the bearer token in its body',
  access: 'public',
  body: z.object({ token }),
  errors: ['unauthorized', 'already_verified', 'action_limit_reached'],
})

/** The form of /auth/reset-password: what the call takes, typed twice. */
export const resetPasswordForm = z
  .object({
    password: newPassword,
    confirmation: z.string().check(z.trim(), z.maxLength(limits.bodyBytes)),
  })
  .check(
    z.refine((form) => form.password === form.confirmation, {
      path: ['confirmation'],
      error: 'form_repeat_password',
    }),
  )
