import { preferredLocale } from '@slipway/phrases'
import type { FastifyRequest } from 'fastify'

/** The language to answer this request in. */
export const requestLocale = (request: FastifyRequest) =>
  preferredLocale(request.headers['accept-language'])
