import cookie from '@fastify/cookie'
import { errors } from '@slipway/contract/errors'
import { limits, second } from '@slipway/contract/limits'
import { type ExternalLoginError, externalLoginPath } from '@slipway/contract/sessions'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { problemOf, sendError } from '../../http/errors.ts'
import { requestLocale } from '../../http/locale.ts'
import { limitByAddress } from '../../http/rate-limit.ts'
import { problem } from '../../problem.ts'
import { google } from './external-login.providers.ts'
import * as externalLogin from './external-login.service.ts'
import { ExternalLoginProblem } from './external-login.service.ts'
import { mountStandIn } from './external-login.stand-in.ts'

/** One cookie per login, so that concurrent logins do not overwrite each other's. */
const cookieName = (state: string) => `slipway_external_login_${state.slice(0, 8)}`

type Query = Record<string, string | string[] | undefined>

/** The two URLs that the browser navigates to: out to the provider, and back. */
export function pages(app: FastifyInstance, ctx: Context) {
  const provider = google(ctx.env)
  if (provider?.standIn) mountStandIn(app, ctx, provider)

  app.register(async (oauth) => {
    limitByAddress(oauth, ctx.env.RATE_LIMIT)
    await oauth.register(cookie)
    const options = { schema: { hide: true } }
    const console = ctx.env.PUBLIC_URL
    const cookieOptions = {
      path: '/api/auth/oauth',
      httpOnly: true,
      // Not strict: the redirect back from the provider must send it.
      sameSite: 'lax',
      secure: console.startsWith('https:'),
    } as const

    const redirectToLogin = (
      reply: FastifyReply,
      error: ExternalLoginError,
      consoleState?: string,
    ) => {
      const query = new URLSearchParams({ error, ...(consoleState && { state: consoleState }) })
      return reply.redirect(`${console}/auth/login?${query}`, 303)
    }

    // A browser gets the login page instead of JSON, whatever failed.
    oauth.setErrorHandler((error, request, reply) => {
      if (error instanceof ExternalLoginProblem) {
        const { code, cause, consoleState } = error
        request.log.info({ code, err: cause }, 'an external login ended')
        return redirectToLogin(reply, code, consoleState)
      }
      if (!request.headers.accept?.includes('text/html')) return sendError(error, request, reply)
      const known = problemOf(error)
      const level = known && errors[known.code] < 500 ? 'info' : 'error'
      request.log[level]({ err: error }, 'the request failed')
      return redirectToLogin(reply, 'external_login_failed')
    })

    oauth.addHook('onRequest', async (_request, reply) => {
      reply.header('Cache-Control', 'no-store')
    })

    oauth.get<{ Querystring: Query }>(
      `/api${externalLoginPath}`,
      options,
      async (request, reply) => {
        const { provider: name, state } = request.query
        if (typeof name !== 'string' || typeof state !== 'string' || !/^[0-9a-f]{32}$/.test(state))
          throw problem('invalid_params')
        const started = await externalLogin.start(ctx, { provider: name, consoleState: state })
        if (!started) throw problem('invalid_params', 'provider')
        reply.setCookie(cookieName(started.state), started.browserId, {
          ...cookieOptions,
          maxAge: limits.loginStateLifetime / second,
        })
        return reply.redirect(started.url.href, 303)
      },
    )

    oauth.get('/api/auth/oauth/callback', options, async (request, reply) => {
      const locale = requestLocale(request)
      const query = new URL(request.url, console).searchParams
      const name = cookieName(query.get('state') ?? '')
      const browserId = request.cookies[name]
      if (browserId !== undefined) reply.clearCookie(name, cookieOptions)
      const { consoleState, token } = await externalLogin.complete(
        { ...ctx, log: request.log, locale, address: request.ip },
        { query, browserId },
      )
      const consoleUrl = new URL(`${console}/auth/login/oauth`)
      consoleUrl.search = new URLSearchParams({ state: consoleState, token }).toString()
      return reply.redirect(consoleUrl.href, 303)
    })
  })
}
