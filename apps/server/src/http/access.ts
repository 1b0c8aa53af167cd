import type { Access } from '@slipway/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Context, UserContext } from '../context.ts'
import { problem } from '../problem.ts'
import { logSecurityEvent } from '../security-events.ts'

export type Caller = Pick<UserContext, 'user' | 'session'>

/** The user of a bearer token; null when unknown or expired. */
export type Authenticate = (ctx: Context, token: string) => Promise<Caller | null>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

/** The token of an Authorization header (RFC 6750 §2.1). */
export function bearerToken(header: string | undefined) {
  const [scheme = '', token, ...rest] = header?.trim().split(/ +/) ?? []
  return scheme.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined
}

/** Operators are the accounts in OPERATOR_EMAILS; both are folded. */
const isOperator = ({ env }: Pick<Context, 'env'>, { user }: Caller) =>
  env.OPERATOR_EMAILS.includes(user.email)

/** Returns the caller of an endpoint with this access. Throws when not allowed. */
export async function admit(
  access: Access,
  ctx: Context,
  authenticate: Authenticate,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (access === 'public') return undefined
  const token = bearerToken(request.headers.authorization)
  const caller = token === undefined ? null : await authenticate(ctx, token)
  if (!caller) throw problem('unauthorized')
  if (access === 'session') return caller
  if (!caller.user.verified) throw problem('user_not_verified')
  if (access === 'operator' && !isOperator(ctx, caller)) {
    const origin = { log: request.log, address: request.ip }
    logSecurityEvent(origin, 'operator_call_rejected', { userId: caller.user.id })
    throw problem('forbidden')
  }
  return caller
}
