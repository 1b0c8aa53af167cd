import type { EmailId } from '@slipway/contract/emails'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { requestLocale } from '../../http/locale.ts'
import { requireLoopbackHost } from '../../http/own-host.ts'
import {
  framedHtml,
  frameRights,
  frameScript,
  mailboxPage,
  mailboxStyle,
  mailPage,
  missingMailPage,
} from './mail.mailbox-page.ts'
import * as mail from './mail.service.ts'

/** An email contains its styles, and loads nothing. */
const framePolicy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox ${frameRights}`

/**
 * The development mailbox: the emails that were not sent. Exists only where stand-ins may run and
 * without SMTP, and only under the machine's own host names, which defeats DNS rebinding.
 */
export function pages(app: FastifyInstance, ctx: Context) {
  if (!ctx.env.standIns || ctx.env.SMTP_URL !== undefined) return

  const options = { onRequest: requireLoopbackHost }

  app.get('/mailbox', options, async (request, reply) => {
    const locale = requestLocale(request)
    const mails = await mail.newest(ctx)
    return reply
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(mailboxPage(locale, mails))
  })

  app.get<{ Params: { id: string } }>('/mailbox/:id', options, async (request, reply) => {
    const locale = requestLocale(request)
    const { id } = request.params
    const row = await mail.find(ctx, id as EmailId)
    return reply
      .code(row ? 200 : 404)
      .header('Cache-Control', 'no-store')
      .header(
        'Content-Security-Policy',
        `${reply.getHeader('content-security-policy')};frame-src 'self'`,
      )
      .type('text/html; charset=utf-8')
      .send(row ? mailPage(locale, row) : missingMailPage(locale))
  })

  app.get<{ Params: { id: string } }>('/mailbox/:id/html', options, async (request, reply) => {
    const row = await mail.find(ctx, request.params.id as EmailId)
    return reply
      .code(row?.html ? 200 : 404)
      .header('Cache-Control', 'no-store')
      .header('Content-Security-Policy', framePolicy)
      .header('X-Frame-Options', 'SAMEORIGIN')
      .type('text/html; charset=utf-8')
      .send(framedHtml(row?.html ?? ''))
  })

  app.get('/mailbox/frame.js', options, async (_request, reply) =>
    reply
      .header('Cache-Control', 'no-cache')
      .type('text/javascript; charset=utf-8')
      .send(frameScript),
  )

  app.get('/mailbox/style.css', options, async (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').type('text/css; charset=utf-8').send(mailboxStyle),
  )
}
