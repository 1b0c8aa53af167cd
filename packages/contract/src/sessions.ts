import * as z from 'zod/mini'
import { captchaSolution } from './captcha.ts'
import { lowercaseEmail } from './email.ts'
import { endpoint } from './endpoint.ts'
import { requiredText, typedPassword } from './required-text.ts'

// Separate from auth.ts, so that the login page, which most users open first, loads only this.

/** A bearer token: 256 random bits in base64url. */
export const session = z.object({ token: z.string() })

export const login = endpoint('POST /auth/email/login', {
  summary: 'Sign in with email and password',
  access: 'public',
  body: z.object({
    email: requiredText('form_enter_email').check(z.overwrite(lowercaseEmail)),
    password: typedPassword(),
    /** Required after too many wrong passwords; without it, a `validation_error` of this field. */
    __captcha_solution__: z.nullish(captchaSolution),
  }),
  response: session,
  errors: ['invalid_credentials', 'user_not_created_with_email'],
})

export const logout = endpoint('POST /auth/logout', {
  summary: 'End the session of the bearer token',
  access: 'session',
})

export const getSession = endpoint('GET /auth/session', {
  summary: 'Get whether the account of the bearer token is verified',
  access: 'session',
  response: z.object({ verified: z.boolean() }),
})

/** An external identity provider that users can sign in with. */
export const loginProvider = z.object({
  provider: z.string(),
  name: z.string(),
  /** The URL of its picture. */
  icon: z.string(),
})
export type LoginProvider = z.output<typeof loginProvider>

export const listLoginProviders = endpoint('GET /auth/oauth/providers', {
  summary: 'List the external identity providers',
  access: 'public',
  response: z.array(loginProvider),
})

/**
 * The path that starts a login with a provider: `?provider=google&state=<32 hex characters>`. It
 * redirects back to the console's `/auth/login/oauth?state&token`, where the token is a code for
 * `exchangeExternalLogin`, or to `/auth/login?error` with one of `externalLoginErrors`, and with
 * `state` if the server knows that it is this browser's.
 */
export const externalLoginPath = '/auth/oauth/redirect'

/** The code works once, within a minute, in the browser that started the login. */
export const exchangeExternalLogin = endpoint('POST /auth/oauth/token', {
  summary: 'Exchange the code of an external login for a session',
  access: 'public',
  body: z.object({
    code: z.string().check(z.minLength(1), z.maxLength(512)),
    state: z.string().check(z.maxLength(32)),
  }),
  response: session,
  invalid: 'invalid_params',
  errors: ['invalid_params', 'invalid_token'],
})

export const externalLoginErrors = [
  'external_login_cancelled',
  'external_login_failed',
  'external_login_expired',
  'external_email_not_verified',
  'external_email_not_supported',
  'external_email_in_use',
  'email_already_exists',
] as const
export type ExternalLoginError = (typeof externalLoginErrors)[number]
