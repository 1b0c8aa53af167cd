/** The errors of the token endpoints (RFC 6749 §5.2) and of bearer tokens (RFC 6750 §3.1). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'invalid_token'

/** An error sent in OAuth's shape, `{ error, error_description }`, not in the API's. */
export class OAuthProblem extends Error {
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.name = 'OAuthProblem'
    this.code = code
  }
}
