import { maxHeaderSize } from 'node:http'
import formbody from '@fastify/formbody'
import { errors } from '@slipway/contract/errors'
import { formPostPath } from '@slipway/contract/login-provider'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problemOf, sendError } from '../../http/errors.ts'
import { requestLocale } from '../../http/locale.ts'
import { createRateLimit, limitByAddress } from '../../http/rate-limit.ts'
import { problem } from '../../problem.ts'
import { formPostPage, formPostPolicy } from './login-provider.form-post.ts'
import * as loginProvider from './login-provider.service.ts'
import { OAuthProblem } from './login-provider.service.ts'
import * as tokens from './login-provider.tokens.service.ts'

const base = '/api/auth/project'

/** RFC 6749 §2.3.1: id and secret are form-encoded. */
const decodeForm = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

function basicCredentials(header: string | undefined) {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) throw new OAuthProblem('invalid_client', 'the Authorization header is malformed')
  try {
    return {
      clientId: decodeForm(text.slice(0, colon)),
      clientSecret: decodeForm(text.slice(colon + 1)),
    }
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause
    throw new OAuthProblem('invalid_client', 'the Authorization header is malformed')
  }
}

/** The parameters of a form, each given once (RFC 6749 §3.2). */
function parameters(body: unknown): Record<string, string | undefined> {
  const form: Record<string, string> = {}
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value !== 'string')
      throw new OAuthProblem('invalid_request', `${name} is given more than once`)
    form[name] = value
  }
  return form
}

function required(form: Record<string, string | undefined>, name: string) {
  const value = form[name]
  if (!value) throw new OAuthProblem('invalid_request', `${name} is missing`)
  return value
}

/**
 * The client's credentials, from the header or the form, never both (RFC 6749 §2.3). A public
 * client sends its id alone (§3.2.1).
 */
function credentials(request: FastifyRequest, form: Record<string, string | undefined>) {
  const basic = basicCredentials(request.headers.authorization)
  if (!basic) {
    const { client_id: clientId, client_secret: clientSecret } = form
    if (!clientId) throw new OAuthProblem('invalid_client', 'the client does not authenticate')
    return { clientId, clientSecret }
  }
  if (form.client_secret !== undefined)
    throw new OAuthProblem('invalid_request', 'the client authenticates in two ways')
  if (form.client_id !== undefined && form.client_id !== basic.clientId)
    throw new OAuthProblem('invalid_request', 'client_id is not the client that authenticates')
  return basic
}

/** Maps client errors to `invalid_request` (RFC 6749 §5.2); undefined for errors of the server. */
function oauthProblemOf(error: unknown) {
  if (error instanceof OAuthProblem) return error
  const knownProblem = problemOf(error)
  if (
    !knownProblem ||
    errors[knownProblem.code] >= 500 ||
    knownProblem.code === 'too_many_requests'
  )
    return undefined
  return new OAuthProblem('invalid_request', knownProblem.code)
}

function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const oauthProblem = oauthProblemOf(error)
  if (!oauthProblem) return sendError(error, request, reply)
  const { code, message } = oauthProblem
  if (code === 'invalid_token')
    reply.header('WWW-Authenticate', `Bearer error="invalid_token", error_description="${message}"`)
  if (code === 'invalid_client') reply.header('WWW-Authenticate', 'Basic realm="Slipway"')
  const unauthorized = code === 'invalid_token' || code === 'invalid_client'
  return reply.code(unauthorized ? 401 : 400).send({ error: code, error_description: message })
}

/** All sites of a machine share one address, so it may send as many requests as ten others. */
const sitesPerAddress = 10

/**
 * Limits requests first for each client or token of an address, then for the address: one site that
 * repeats its requests does not lock out the others.
 */
function limitSites(oidc: FastifyInstance, callsPerMinute: number) {
  const countForClient = createRateLimit(oidc, callsPerMinute, ({ ip, headers, body }) =>
    [ip, headers.authorization ?? (body as { client_id?: unknown } | undefined)?.client_id].join(
      ' ',
    ),
  )
  const countForAddress = createRateLimit(oidc, callsPerMinute * sitesPerAddress)
  oidc.addHook('preHandler', async (request) => {
    if (request.method === 'POST' || request.headers.authorization !== undefined)
      await countForClient(request)
    await countForAddress(request)
  })
}

/** RFC 6749 §5.1: no cache may store a token. */
const forbidCaching = (reply: FastifyReply) =>
  reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache')

/** The parameters of a form that leads to a screen: Node limits the length of a URL. */
const maxQueryLength = maxHeaderSize / 2

/**
 * The two endpoints that a browser opens are screens of the console. A form that is posted to them
 * (OpenID Connect Core §3.1.2.1, RP-Initiated Logout 1.0 §2) becomes their query.
 */
function redirectFormsToScreens(browser: FastifyInstance, ctx: Context) {
  for (const path of ['/auth/code', '/auth/end-session'])
    browser.post(path, async (request, reply) => {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(request.body ?? {}))
        for (const each of [value].flat()) query.append(name, String(each))
      if (String(query).length > maxQueryLength) throw problem('request_too_large')
      return reply.redirect(`${ctx.env.PUBLIC_URL}${path}?${query}`, 303)
    })
}

/** Sends a response as a form that the browser posts to the client. Only the console opens it. */
function mountFormPost(browser: FastifyInstance, ctx: Context) {
  browser.post(`/api${formPostPath}`, async (request, reply) => {
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin') throw problem('forbidden')
    const form = parameters(request.body)
    const target = {
      client_id: required(form, 'client_id'),
      redirect_uri: required(form, 'redirect_uri'),
    }
    await loginProvider.requireRedirect(ctx, target)
    return reply
      .headers({ 'Content-Security-Policy': formPostPolicy, 'Cache-Control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(formPostPage(requestLocale(request), target.redirect_uri, form))
  })
}

/** The OpenID Connect endpoints, which follow the standard instead of the contract. */
export function pages(app: FastifyInstance, ctx: Context) {
  if (loginProvider.sendsCodesUnencrypted(ctx))
    ctx.log.warn(
      'PUBLIC_URL is https and SITES_URL is http: sites receive authorization codes unencrypted. Serve the sites over https and set SITES_URL',
    )
  app.register(async (oidc) => {
    // The token endpoint accepts forms only.
    oidc.removeAllContentTypeParsers()
    await oidc.register(formbody)
    oidc.setErrorHandler(sendOAuthError)
    limitSites(oidc, ctx.env.RATE_LIMIT)

    for (const name of ['openid-configuration', 'oauth-authorization-server'])
      oidc.get(`/.well-known/${name}`, async (_request, reply) =>
        reply.header('Cache-Control', 'public, max-age=300').send(loginProvider.metadata(ctx)),
      )

    oidc.get(`${base}/jwks`, async (_request, reply) => {
      const keys = await loginProvider.publicKeys(ctx)
      return reply.header('Cache-Control', 'public, max-age=300').send(keys)
    })

    oidc.post(`${base}/token`, async (request, reply) => {
      forbidCaching(reply)
      const form = parameters(request.body)
      const grantType = required(form, 'grant_type')
      const client = credentials(request, form)
      if (grantType === 'refresh_token')
        return tokens.refresh(
          { ...ctx, log: request.log, address: request.ip },
          { ...client, refreshToken: required(form, 'refresh_token'), scope: form.scope },
        )
      if (grantType !== 'authorization_code')
        throw new OAuthProblem(
          'unsupported_grant_type',
          'only authorization_code and refresh_token are supported',
        )
      return tokens.redeemCode(ctx, {
        ...client,
        code: required(form, 'code'),
        redirectUri: required(form, 'redirect_uri'),
        codeVerifier: form.code_verifier,
      })
    })

    oidc.post(`${base}/introspect`, async (request, reply) => {
      forbidCaching(reply)
      const form = parameters(request.body)
      const client = credentials(request, form)
      return tokens.introspect(ctx, { ...client, token: required(form, 'token') })
    })

    oidc.post(`${base}/revoke`, async (request, reply) => {
      forbidCaching(reply)
      const form = parameters(request.body)
      const client = credentials(request, form)
      await tokens.revoke(ctx, { ...client, token: required(form, 'token') })
      return reply.code(200).send({})
    })

    const userInfo = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('Cache-Control', 'no-store')
      const [, bearer] = /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '') ?? []
      // RFC 6750 §2.2: the token may be in the form instead; §2: never in both.
      const { access_token: posted } = parameters(request.body)
      if (bearer !== undefined && posted !== undefined)
        throw new OAuthProblem('invalid_request', 'the token is sent in two ways')
      const token = bearer ?? posted
      // RFC 6750 §3: without credentials the response has no error code.
      if (token === undefined)
        return reply.code(401).header('WWW-Authenticate', 'Bearer realm="Slipway"').send({})
      return tokens.userInfo(ctx, token)
    }
    oidc.get(`${base}/userinfo`, userInfo)
    oidc.post(`${base}/userinfo`, userInfo)
  })

  app.register(async (browser) => {
    limitByAddress(browser, ctx.env.RATE_LIMIT)
    browser.removeAllContentTypeParsers()
    await browser.register(formbody)
    redirectFormsToScreens(browser, ctx)
    mountFormPost(browser, ctx)
  })
}
