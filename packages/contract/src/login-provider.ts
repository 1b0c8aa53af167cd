import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const parameter = z.string().check(z.maxLength(2048))

/**
 * An authorization request, from the query of the console's `/auth/code` screen: the parameters
 * of OAuth 2.0 (RFC 6749 §4.1.1), PKCE (RFC 7636 §4.3) and OpenID Connect Core §3.1.2.1. `state`
 * stays in the browser.
 */
const authorizationRequest = z.object({
  /** The project's key, or the id of a client that the customer has made. */
  client_id: parameter,
  redirect_uri: parameter,
  /** Required; a missing one is an error that the client gets. */
  response_type: z.optional(parameter),
  scope: z.optional(parameter),
  nonce: z.optional(parameter),
  code_challenge: z.optional(parameter),
  code_challenge_method: z.optional(parameter),
  prompt: z.optional(parameter),
  max_age: z.optional(parameter),
  response_mode: z.optional(parameter),
  /** Accepted only to reject them: parameters come in the query. */
  request: z.optional(parameter),
  request_uri: z.optional(parameter),
  /** From `checkAuthorizationRequest`: a session that began later is a login for this request. */
  login_ticket: z.optional(parameter),
})
export type AuthorizationRequest = z.output<typeof authorizationRequest>

/** The errors of an authorization response (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
export const authorizationErrorCodes = [
  'invalid_request',
  'unsupported_response_type',
  'request_not_supported',
  'request_uri_not_supported',
] as const
export type AuthorizationErrorCode = (typeof authorizationErrorCodes)[number]

export const createAuthorizationCode = endpoint('POST /auth/project/code', {
  summary: 'Create an authorization code, with which a client signs the user in',
  body: authorizationRequest,
  response: z.object({
    /** The authorization code: one use, 60 seconds. */
    token: z.string(),
    /** Sent to the client as `iss`, so that it can check the issuer (RFC 9207). */
    issuer: z.string(),
  }),
  invalid: 'invalid_params',
  errors: [
    'invalid_params',
    'request_not_supported',
    'request_uri_not_supported',
    'login_required',
    'project_not_found',
  ],
})

export const checkAuthorizationRequest = endpoint('POST /auth/project/check', {
  summary: 'Check an authorization request: whether its client may get a response, and which',
  access: 'public',
  body: authorizationRequest,
  response: z.object({
    issuer: z.string(),
    clientName: z.string(),
    responseMode: z.enum(['query', 'form_post']),
    /** The error that the client gets instead of a code. */
    error: z.nullable(z.object({ code: z.enum(authorizationErrorCodes), description: z.string() })),
    /** `prompt=none`: the user must not see anything. */
    isSilent: z.boolean(),
    /** The user has to confirm the account. */
    needsConfirmation: z.boolean(),
    loginTicket: z.string(),
  }),
  invalid: 'invalid_params',
  errors: ['invalid_params'],
})

export const checkLogoutRequest = endpoint('POST /auth/project/logout', {
  summary:
    'Check a logout that a client requests: which client it is, and where the browser is redirected',
  access: 'public',
  body: z.object({
    /** An ID token of the client, which may have expired. */
    id_token_hint: z.optional(z.string().check(z.maxLength(8192))),
    client_id: z.optional(parameter),
    post_logout_redirect_uri: z.optional(parameter),
  }),
  response: z.object({
    /** Null when the request names no client. */
    clientName: z.nullable(z.string()),
    redirectUri: z.nullable(z.string()),
  }),
  invalid: 'invalid_params',
  errors: ['invalid_params'],
})

/** The path to which the console posts a response that the browser then posts to the client. */
export const formPostPath = '/auth/project/form-post'
