import type { Access } from '@slipway/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Context, SessionContext, SignedIn, TokenScope } from '../context.ts'
import { problem } from '../problem.ts'
import { logSecurityEvent } from '../security-events.ts'
import { isOperator } from './operators.ts'

/** The user of a request, with its session or its personal token. */
export type Caller =
  | { user: SignedIn; session: SessionContext['session']; token?: undefined }
  | { user: SignedIn; session?: undefined; token: TokenScope }

/** The caller of a bearer token; null when unknown or expired. */
export type Authenticate = (
  ctx: Context,
  token: string,
  origin: { address: string; client: string | undefined },
) => Promise<Caller | null>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** True if the body was still arriving when the caller was authorized. */
    hasLateBody: boolean
  }
}

/** The token of an Authorization header (RFC 6750 §2.1). */
export function bearerToken(header: string | undefined) {
  const [scheme = '', token, ...rest] = header?.trim().split(/ +/) ?? []
  return scheme.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined
}

/**
 * Throws `project_not_found` when a token may not use the project in the path. An endpoint without
 * a project in its path, such as the list of projects, filters its response by the token's
 * projects.
 */
function requireProjectInScope({ projects }: TokenScope, { params }: FastifyRequest) {
  const { id, key } = params as { id?: string; key?: string }
  if (projects === null || (id === undefined && key === undefined)) return
  if (!projects.some((project) => project.id === id?.toLowerCase() || project.key === key))
    throw problem('project_not_found')
}

/**
 * True if personal tokens of this scope may call an endpoint with this access: `projects` is for
 * tokens of all projects; the project of `project` is checked by `requireProjectInScope`.
 */
const acceptsToken = (access: Access, { projects }: TokenScope) =>
  access === 'token' || access === 'project' || (access === 'projects' && projects === null)

/** Returns the caller of an endpoint with this access. Throws when not allowed. */
export async function authorize(
  access: Access,
  ctx: Context,
  authenticate: Authenticate,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (access === 'public') return undefined
  const token = bearerToken(request.headers.authorization)
  const caller = token === undefined ? null : await authenticate(ctx, token, originOf(request))
  if (!caller) throw problem('unauthorized')
  if (caller.token && !acceptsToken(access, caller.token)) throw problem('forbidden')
  // These endpoints are for tokens only.
  if (!caller.token && access === 'token') throw problem('forbidden')
  if (access === 'session') return caller
  if (!caller.user.verified) throw problem('user_not_verified')
  if (access === 'operator' && !isOperator(ctx.env, caller.user)) {
    const origin = { log: request.log, address: request.ip }
    logSecurityEvent(origin, 'operator_call_rejected', { userId: caller.user.id })
    throw problem('forbidden')
  }
  if (caller.token && access === 'project') requireProjectInScope(caller.token, request)
  return caller
}

const originOf = ({ ip, headers }: FastifyRequest) => ({
  address: ip,
  client: headers['user-agent'],
})
