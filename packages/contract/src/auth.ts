import * as z from 'zod/mini'
import { captchaSolution } from './captcha.ts'
import { endpoint } from './endpoint.ts'
import { anyText, newPassword, signUpEmail, text } from './fields.ts'
import { limits } from './limits.ts'

/** A bearer token: 256 random bits in base64url. */
const session = z.object({ token: z.string() })
const token = z.string().check(z.trim(), z.minLength(1), z.maxLength(512))

export const login = endpoint('POST /auth/email/login', {
  summary: 'Sign in with e-mail and password',
  access: 'public',
  body: z.object({
    email: anyText('form_enter_email').check(z.toLowerCase()),
    password: anyText('form_enter_password'),
  }),
  answer: session,
  errors: ['invalid_credentials', 'user_not_created_with_email'],
})

export const signUp = endpoint('POST /auth/email/sign-up', {
  summary: 'Create an account; its verification mail is sent',
  access: 'public',
  body: z.object({
    name: text('form_enter_your_name'),
    email: signUpEmail,
    password: newPassword,
    __captcha_solution__: captchaSolution,
  }),
  answer: session,
  errors: ['email_already_exists', 'action_limit_reached'],
})

export const forgotPassword = endpoint('POST /auth/email/forgot-password', {
  summary: 'Send a mail to set a new password; answers the same for an unknown address',
  access: 'public',
  body: z.object({ email: anyText('form_enter_email').check(z.toLowerCase()) }),
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
    password: z.nullish(anyText('form_enter_password')),
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

export const logout = endpoint('POST /auth/logout', {
  summary: 'End the session of the bearer token',
  access: 'session',
})

export const getSession = endpoint('GET /auth/session', {
  summary: 'Whether the account of the bearer token is verified',
  access: 'session',
  answer: z.object({ verified: z.boolean() }),
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

/** Outside identity providers that people can sign in with. */
export const loginProvider = z.object({ provider: z.enum(['google']), name: z.string() })

export const listLoginProviders = endpoint('GET /auth/oauth/providers', {
  summary: 'The outside identity providers that this service offers',
  access: 'public',
  answer: z.array(loginProvider),
})

/**
 * Where the browser goes to sign in with a provider: `?provider=google&state=<32 hex characters>`. It
 * comes back to the console's `/auth/login/oauth?state&token`, or to `/auth/login?error` with one of
 * `externalLoginErrors`, and with the `state` where the service knows that it is this browser's.
 */
export const externalLoginPath = '/auth/oauth/redirect'

export const externalLoginErrors = [
  'external_login_cancelled',
  'external_login_failed',
  'external_login_expired',
  'external_email_not_verified',
  'external_email_in_use',
  'email_already_exists',
] as const
export type ExternalLoginError = (typeof externalLoginErrors)[number]
