import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type { checkLogoutRequest } from '@slipway/contract/login-provider'
import { compactVerify, createLocalJWKSet, errors } from 'jose'
import type { Context, RequestContext } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { type Client, findClient } from './login-provider.clients.ts'
import { publicKeys } from './login-provider.keys.ts'

const invalidParameter = (parameter: string) =>
  new Problem('invalid_params', { context: parameter })

/**
 * The client that an ID token was issued to. The token may have expired (RP-Initiated Logout 1.0
 * §2). Throws `invalid_params` for a token that is not ours.
 */
async function audienceOf(ctx: Context, idToken: string): Promise<string> {
  const { payload } = await compactVerify(idToken, createLocalJWKSet(await publicKeys(ctx))).catch(
    (error: unknown) => {
      if (error instanceof errors.JOSEError) throw invalidParameter('id_token_hint')
      throw error
    },
  )
  const { iss, aud } = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
  if (iss !== ctx.env.PUBLIC_URL || typeof aud !== 'string') throw invalidParameter('id_token_hint')
  return aud
}

/** The client that requests a logout; undefined for a request that names none. */
async function clientOf(
  ctx: Context,
  { id_token_hint, client_id }: InputOf<typeof checkLogoutRequest>['body'],
): Promise<Client | undefined> {
  const audience = id_token_hint === undefined ? undefined : await audienceOf(ctx, id_token_hint)
  if (audience !== undefined && client_id !== undefined && audience !== client_id)
    throw invalidParameter('client_id')
  const clientId = audience ?? client_id
  if (clientId === undefined) return undefined
  const client = await findClient(ctx, clientId)
  if (!client) throw invalidParameter('client_id')
  return client
}

/**
 * Checks a logout that a client requests (OpenID Connect RP-Initiated Logout 1.0): the client, and
 * where the browser goes afterwards. It ends nothing: the user confirms it in the console. Throws
 * `invalid_params` for a token that is not ours, an unknown client and an address that is not the
 * client's.
 */
export async function checkLogout(
  ctx: RequestContext,
  request: InputOf<typeof checkLogoutRequest>['body'],
): Promise<ResponseOf<typeof checkLogoutRequest>> {
  const client = await clientOf(ctx, request)
  const redirectUri = request.post_logout_redirect_uri ?? null
  // §3: without a client nothing proves the address.
  if (redirectUri !== null && !client?.mayLogOutTo(redirectUri))
    throw invalidParameter('post_logout_redirect_uri')
  return { clientName: client?.name ?? null, redirectUri }
}
