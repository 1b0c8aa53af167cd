import formbody from '@fastify/formbody'
import { errors } from '@slipway/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { answerError, problemOf } from '../../http/errors.ts'
import * as loginProvider from './login-provider.service.ts'
import { OAuthProblem } from './login-provider.service.ts'

const base = '/api/auth/project'

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

function basicCredentials(header: string | undefined) {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) throw new OAuthProblem('invalid_client', 'the Authorization header is malformed')
  try {
    return { clientId: decoded(text.slice(0, colon)), clientSecret: decoded(text.slice(colon + 1)) }
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause
    throw new OAuthProblem('invalid_client', 'the Authorization header is malformed')
  }
}

/** The parameters of a form, each given once (RFC 6749 §3.2). */
function parameters(body: unknown): Record<string, string | undefined> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value !== 'string')
      throw new OAuthProblem('invalid_request', `${name} is given more than once`)
    found[name] = value
  }
  return found
}

function required(form: Record<string, string | undefined>, name: string) {
  const value = form[name]
  if (!value) throw new OAuthProblem('invalid_request', `${name} is missing`)
  return value
}

/** Who the client says it is: by the header or by the form, never by both (RFC 6749 §2.3). */
function credentials(request: FastifyRequest, form: Record<string, string | undefined>) {
  const basic = basicCredentials(request.headers.authorization)
  if (!basic) {
    const { client_id: clientId, client_secret: clientSecret } = form
    if (!clientId || !clientSecret)
      throw new OAuthProblem('invalid_client', 'the client does not authenticate')
    return { clientId, clientSecret }
  }
  if (form.client_secret !== undefined)
    throw new OAuthProblem('invalid_request', 'the client authenticates in two ways')
  if (form.client_id !== undefined && form.client_id !== basic.clientId)
    throw new OAuthProblem('invalid_request', 'client_id is not the client that authenticates')
  return basic
}

/** RFC 6749 §5.2 has one word for whatever is wrong with a request; what is ours to mend stays. */
function oauthProblemOf(error: unknown) {
  if (error instanceof OAuthProblem) return error
  const known = problemOf(error)
  if (!known || errors[known.code] >= 500) return undefined
  return new OAuthProblem('invalid_request', known.code)
}

function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = oauthProblemOf(error)
  if (!refusal) return answerError(error, request, reply)
  const { code, message } = refusal
  if (code === 'invalid_token')
    reply.header('WWW-Authenticate', `Bearer error="invalid_token", error_description="${message}"`)
  if (code === 'invalid_client') reply.header('WWW-Authenticate', 'Basic realm="Slipway"')
  const unauthorized = code === 'invalid_token' || code === 'invalid_client'
  return reply.code(unauthorized ? 401 : 400).send({ error: code, error_description: message })
}

/**
 * The endpoints of OpenID Connect, whose shapes are the standard's and not the contract's. Calls are not
 * limited: all sites of a machine come from one address, and what they need to sign anybody in, or to ask
 * whether somebody is still a member, must not run out because of one of them. There is nothing to guess
 * here that is shorter than 256 bits.
 */
export function pages(app: FastifyInstance, ctx: Context) {
  if (loginProvider.answersInTheClear(ctx))
    ctx.log.warn(
      'PUBLIC_URL is https and SITES_URL is http: who signs in to a site comes back there unencrypted. Put the sites behind https, too, and set SITES_URL',
    )
  app.register(async (oidc) => {
    // A token request is a form and nothing else.
    oidc.removeAllContentTypeParsers()
    await oidc.register(formbody)
    oidc.setErrorHandler(answerOAuthError)
    const schema = { hide: true }

    oidc.get('/.well-known/openid-configuration', { schema }, async (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=300').send(loginProvider.metadata(ctx)),
    )

    oidc.get(`${base}/jwks`, { schema }, async (_request, reply) => {
      const keys = await loginProvider.publicKeys(ctx)
      return reply.header('Cache-Control', 'public, max-age=300').send(keys)
    })

    oidc.post(`${base}/token`, { schema }, async (request, reply) => {
      // RFC 6749 §5.1: nothing on the way may keep a token.
      reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache')
      const form = parameters(request.body)
      const grantType = required(form, 'grant_type')
      const client = credentials(request, form)
      if (grantType !== 'authorization_code')
        throw new OAuthProblem('unsupported_grant_type', 'only authorization_code is supported')
      return loginProvider.redeemCode(ctx, {
        ...client,
        code: required(form, 'code'),
        redirectUri: required(form, 'redirect_uri'),
        codeVerifier: form.code_verifier,
      })
    })

    const userInfo = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('Cache-Control', 'no-store')
      const [, token] = /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '') ?? []
      // RFC 6750 §3: without any credentials there is no error code to tell.
      if (token === undefined)
        return reply.code(401).header('WWW-Authenticate', 'Bearer realm="Slipway"').send({})
      return loginProvider.userInfo(ctx, token)
    }
    oidc.get(`${base}/userinfo`, { schema }, userInfo)
    oidc.post(`${base}/userinfo`, { schema }, userInfo)
  })
}
