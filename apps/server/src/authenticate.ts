import type { Authenticate } from './http/access.ts'
import * as personalTokens from './modules/personal-tokens/personal-tokens.service.ts'

/** The caller of a bearer token: of a session, or of a personal token, which has its own form. */
export const authenticate: Authenticate = (ctx, token, origin) =>
  personalTokens.isPersonalToken(token)
    ? personalTokens.authenticate(ctx, token, origin)
    : ctx.sessions.authenticate(token)
