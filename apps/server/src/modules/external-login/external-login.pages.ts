import cookie from '@fastify/cookie'
import { errors } from '@slipway/contract/errors'
import { type ExternalLoginError, externalLoginPath } from '@slipway/contract/sessions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { cookiesOf } from '../../http/cookies.ts'
import { problemOf, sendError } from '../../http/errors.ts'
import { requestLocale } from '../../http/locale.ts'
import { limitByAddress } from '../../http/rate-limit.ts'
import { problem } from '../../problem.ts'
import { findStandIn } from './external-login.providers.ts'
import * as externalLogin from './external-login.service.ts'
import { ExternalLoginProblem } from './external-login.service.ts'
import { mountStandIn } from './external-login.stand-in.ts'

type Query = Record<string, string | string[] | undefined>

/** The two URLs that the browser navigates to: out to the provider, and back. */
export function pages(app: FastifyInstance, ctx: Context) {
  const standIn = findStandIn(ctx.env)
  if (standIn) mountStandIn(app, ctx, standIn)

  app.register(async (oauth) => {
    limitByAddress(oauth, ctx.env.RATE_LIMIT)
    await oauth.register(cookie)
    const publicUrl = ctx.env.PUBLIC_URL
    const requestContext = (request: FastifyRequest, reply: FastifyReply) => ({
      ...ctx,
      log: request.log,
      locale: requestLocale(request),
      address: request.ip,
      cookies: cookiesOf(request, reply, publicUrl),
    })

    const redirectToLogin = (
      reply: FastifyReply,
      error: ExternalLoginError,
      consoleState?: string,
    ) => {
      const query = new URLSearchParams({ error, ...(consoleState && { state: consoleState }) })
      return reply.redirect(`${publicUrl}/auth/login?${query}`, 303)
    }

    // After every failure, a browser gets the login page instead of JSON.
    oauth.setErrorHandler((error, request, reply) => {
      if (error instanceof ExternalLoginProblem) {
        const { code, cause, consoleState } = error
        request.log.info({ code, err: cause }, 'an external login ended')
        return redirectToLogin(reply, code, consoleState)
      }
      if (!request.headers.accept?.includes('text/html')) return sendError(error, request, reply)
      const knownProblem = problemOf(error)
      const level = knownProblem && errors[knownProblem.code] < 500 ? 'info' : 'error'
      request.log[level]({ err: error }, 'the request failed')
      return redirectToLogin(reply, 'external_login_failed')
    })

    oauth.addHook('onRequest', async (_request, reply) => {
      reply.header('Cache-Control', 'no-store')
    })

    oauth.get<{ Querystring: Query }>(`/api${externalLoginPath}`, async (request, reply) => {
      const { provider: name, state } = request.query
      if (typeof name !== 'string' || typeof state !== 'string' || !/^[0-9a-f]{32}$/.test(state))
        throw problem('invalid_params')
      const url = await externalLogin.start(requestContext(request, reply), {
        provider: name,
        consoleState: state,
      })
      if (!url) throw problem('invalid_params', 'provider')
      return reply.redirect(url.href, 303)
    })

    oauth.get('/api/auth/oauth/callback', async (request, reply) => {
      const query = new URL(request.url, publicUrl).searchParams
      const { consoleState, code } = await externalLogin.complete(
        requestContext(request, reply),
        query,
      )
      const consoleUrl = new URL(`${publicUrl}/auth/login/oauth`)
      consoleUrl.search = new URLSearchParams({ state: consoleState, token: code }).toString()
      return reply.redirect(consoleUrl.href, 303)
    })
  })
}
