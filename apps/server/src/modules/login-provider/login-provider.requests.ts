import { createHmac, timingSafeEqual } from 'node:crypto'
import { second } from '@slipway/contract/limits'
import type { AuthorizationErrorCode, AuthorizationRequest } from '@slipway/contract/login-provider'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context } from '../../context.ts'
import * as secrets from '../secrets/secrets.service.ts'
import type { Client } from './login-provider.clients.ts'

/** The problem of a request: the standard's error code, and the parameter. */
export type RequestError = { code: AuthorizationErrorCode; parameter: string }

/** The shape of an S256 challenge: a SHA-256 in base64url (RFC 7636 §4.2). */
const isChallenge = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

// RFC 6749 appendix A excludes these characters; PostgreSQL cannot store the first.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this finds them
const controlCharacter = /[\u0000-\u001f\u007f]/

const prompts = ['none', 'login', 'consent', 'select_account']

/** The prompts of a request (OpenID Connect Core §3.1.2.1). */
export const promptsOf = ({ prompt }: Pick<AuthorizationRequest, 'prompt'>) =>
  prompt === undefined ? [] : prompt.split(' ')

const isPrompt = (request: AuthorizationRequest) => {
  const requested = promptsOf(request)
  const isKnown = requested.every((each) => prompts.includes(each))
  return isKnown && (requested.length < 2 || !requested.includes('none'))
}

const isMaxAge = (text: string) => /^\d{1,9}$/.test(text)

/** How the response reaches the client; `query` is the default of the code flow. */
export const responseModes = ['query', 'form_post'] as const

/** The first error of a request; undefined for a valid one. */
export function errorOf(request: AuthorizationRequest, client: Pick<Client, 'isPublic'>) {
  const invalid = (parameter: string): RequestError => ({ code: 'invalid_request', parameter })
  for (const [name, value] of Object.entries(request))
    if (value !== undefined && controlCharacter.test(value)) return invalid(name)
  // OpenID Connect Core §6.1 and §6.2, and §3.1.2.6 for each error.
  if (request.request !== undefined)
    return { code: 'request_not_supported', parameter: 'request' } as const
  if (request.request_uri !== undefined)
    return { code: 'request_uri_not_supported', parameter: 'request_uri' } as const
  const mode = request.response_mode
  if (mode !== undefined && !responseModes.some((each) => each === mode))
    return invalid('response_mode')
  if (request.response_type === undefined) return invalid('response_type')
  if (request.response_type !== 'code')
    return { code: 'unsupported_response_type', parameter: 'response_type' } as const
  const { code_challenge: challenge, code_challenge_method: method } = request
  // RFC 9700 §2.1.1: `plain` reveals the verifier in the request.
  if (challenge === undefined ? method !== undefined : method !== 'S256')
    return invalid('code_challenge_method')
  // RFC 9700 §2.1.1: only PKCE protects the code of a public client.
  if (challenge === undefined ? client.isPublic : !isChallenge(challenge))
    return invalid('code_challenge')
  if (!isPrompt(request)) return invalid('prompt')
  if (request.max_age !== undefined && !isMaxAge(request.max_age)) return invalid('max_age')
  return undefined
}

type TicketCtx = Pick<Context, 'clock' | 'sealing' | 'write'>

/** The signature of a ticket for this request and this time. */
async function signature(ctx: TicketCtx, request: AuthorizationRequest, issuedAt: string) {
  const { login_ticket: _, ...parameters } = request
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const text = JSON.stringify([
    issuedAt,
    ...entries.sort(([first], [second]) => (first < second ? -1 : 1)),
  ])
  const key = await secrets.sharedKey(ctx, 'login-tickets')
  return createHmac('sha256', key).update(text).digest('base64url')
}

/**
 * Proves when a request arrived: a session that began later is a new login for it. The server does
 * not store the ticket. It is valid with the same request only.
 */
export async function createTicket(ctx: TicketCtx, request: AuthorizationRequest) {
  const issuedAt = String(ctx.clock.now().getTime())
  return `${issuedAt}.${await signature(ctx, request, issuedAt)}`
}

/** The time of the request's ticket; undefined without a valid one. */
async function ticketTime(ctx: TicketCtx, request: AuthorizationRequest) {
  const [, issuedAt, text] = /^(\d{1,15})\.([\w-]{43})$/.exec(request.login_ticket ?? '') ?? []
  if (issuedAt === undefined || text === undefined) return undefined
  const expected = await signature(ctx, request, issuedAt)
  if (!timingSafeEqual(Buffer.from(text), Buffer.from(expected))) return undefined
  const age = ctx.clock.now().getTime() - Number(issuedAt)
  return age <= serviceLimits.loginTicketLifetime ? Number(issuedAt) : undefined
}

/**
 * True when the request requires a login that is newer than this one, by `prompt=login` or
 * `max_age` (OpenID Connect Core §3.1.2.1).
 */
export async function needsNewLogin(
  ctx: TicketCtx,
  request: AuthorizationRequest,
  authTime: Date,
): Promise<boolean> {
  const age = ctx.clock.now().getTime() - authTime.getTime()
  const isTooOld = request.max_age !== undefined && age > Number(request.max_age) * second
  if (!isTooOld && !promptsOf(request).includes('login')) return false
  const arrivedAt = await ticketTime(ctx, request)
  return arrivedAt === undefined || authTime.getTime() < arrivedAt
}
