import { preferredLocale } from '@slipway/phrases'
import type { FastifyRequest } from 'fastify'

/** The language of the response. */
export const requestLocale = (request: FastifyRequest) =>
  preferredLocale(request.headers['accept-language'])
