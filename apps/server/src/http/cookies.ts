import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from '../context.ts'

/** The browser's cookies. @fastify/cookie is registered where it is used. */
export function cookiesOf(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): Cookies {
  const secure = publicUrl.startsWith('https:')
  // With the prefix no other host of the domain, such as a site, can set it (RFC 6265bis §4.1.3.2).
  const fullName = (name: string) => `${secure ? '__Host-' : ''}slipway_${name}`
  const options = {
    path: '/',
    httpOnly: true,
    secure,
    // Not strict: the redirect back from an identity provider must send them.
    sameSite: 'lax',
  } as const
  return {
    get: (name) => request.cookies[fullName(name)],
    set: (name, value, lifetime) =>
      void reply.setCookie(fullName(name), value, { ...options, maxAge: lifetime / 1000 }),
    clear: (name) => void reply.clearCookie(fullName(name), options),
  }
}
