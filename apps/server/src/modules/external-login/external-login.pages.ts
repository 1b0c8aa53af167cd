import cookie from '@fastify/cookie'
import { externalLoginPath } from '@slipway/contract/auth'
import { limits, second } from '@slipway/contract/limits'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { answerError } from '../../http/errors.ts'
import { requestLocale } from '../../http/locale.ts'
import { limitRate } from '../../http/rate-limit.ts'
import { problem } from '../../problem.ts'
import { google } from './external-login.providers.ts'
import * as externalLogin from './external-login.service.ts'
import { ExternalLoginProblem } from './external-login.service.ts'
import { mountStandIn } from './external-login.stand-in.ts'

const cookieName = 'slipway_external_login'
const cookiePath = '/api/auth/oauth'

/** 256 bits in base64url, as `newBrowserId` makes them. */
const isBrowserId = (value: string | undefined): value is string =>
  value !== undefined && /^[\w-]{43}$/.test(value)

type Query = Record<string, string | string[] | undefined>

/** The two addresses that a browser goes to by itself: out to the provider, and back. */
export function pages(app: FastifyInstance, ctx: Context) {
  const provider = google(ctx.env)
  if (provider?.standIn) mountStandIn(app, ctx, provider)

  app.register(async (oauth) => {
    await limitRate(oauth, ctx.env.RATE_LIMIT)
    await oauth.register(cookie)
    const options = { schema: { hide: true } }
    const console = ctx.env.PUBLIC_URL

    const toLogin = (reply: FastifyReply, error: ExternalLoginProblem) => {
      reply.request.log.info({ code: error.code, err: error.cause }, 'an external login ended')
      return reply.redirect(`${console}/auth/login?error=${error.code}`, 303)
    }

    // A person who came here by a browser gets a page with a way back, whatever went wrong.
    oauth.setErrorHandler((error, request, reply) => {
      if (error instanceof ExternalLoginProblem) return toLogin(reply, error)
      if (!request.headers.accept?.includes('text/html')) return answerError(error, request, reply)
      return toLogin(reply, new ExternalLoginProblem('external_login_failed', error))
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
        // Kept when there is one: two tabs may sign in at the same time.
        const known = request.cookies[cookieName]
        const browserId = isBrowserId(known) ? known : externalLogin.newBrowserId()
        const wanted = { provider: name, consoleState: state, browserId }
        const url = await externalLogin.begin(ctx, wanted)
        if (!url) throw problem('invalid_params', 'provider')
        reply.setCookie(cookieName, browserId, {
          path: cookiePath,
          httpOnly: true,
          // Lax: it must come along when the provider sends the browser back.
          sameSite: 'lax',
          secure: console.startsWith('https:'),
          maxAge: limits.loginStateLifetime / second,
        })
        return reply.redirect(url.href, 303)
      },
    )

    oauth.get('/api/auth/oauth/callback', options, async (request, reply) => {
      const locale = requestLocale(request)
      const { consoleState, token } = await externalLogin.complete(
        { ...ctx, log: request.log, locale, address: request.ip },
        {
          query: new URL(request.url, console).searchParams,
          browserId: request.cookies[cookieName],
        },
      )
      const back = new URL(`${console}/auth/login/oauth`)
      back.search = new URLSearchParams({ state: consoleState, token }).toString()
      return reply.redirect(back.href, 303)
    })
  })
}
