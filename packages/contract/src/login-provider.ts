import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const parameter = z.string().check(z.maxLength(2048))

/**
 * An authorization request, from the query of the console's `/auth/code` screen: the parameters
 * of OAuth 2.0 (RFC 6749 §4.1.1), PKCE (RFC 7636 §4.3) and OpenID Connect Core §3.1.2.1.
 */
export const authorizationRequest = z.object({
  /** The project's key. */
  client_id: parameter,
  redirect_uri: parameter,
  response_type: parameter,
  scope: z.optional(parameter),
  nonce: z.optional(parameter),
  code_challenge: z.optional(parameter),
  code_challenge_method: z.optional(parameter),
  /** Only `none`: the caller is signed in, and does not log in again. */
  prompt: z.optional(parameter),
  /** Accepted only to reject them: parameters come in the query, and so does the response. */
  request: z.optional(parameter),
  request_uri: z.optional(parameter),
  response_mode: z.optional(parameter),
  /** Accepted only to reject it: no site learns when a user logged in. */
  max_age: z.optional(parameter),
})
export type AuthorizationRequest = z.output<typeof authorizationRequest>

export const createAuthorizationCode = endpoint('POST /auth/project/code', {
  summary: "Create an authorization code, with which a project's site signs the user in",
  body: authorizationRequest,
  response: z.object({
    /** The authorization code: one use, 60 seconds. */
    token: z.string(),
    /** Sent to the site as `iss`, so that it can check the issuer (RFC 9207). */
    issuer: z.string(),
  }),
  invalid: 'invalid_params',
  errors: [
    'invalid_params',
    'request_not_supported',
    'request_uri_not_supported',
    'project_not_found',
  ],
})
