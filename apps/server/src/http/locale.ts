import { preferredLocale } from '@slipway/phrases'
import type { FastifyRequest } from 'fastify'

export const requestLocale = (request: FastifyRequest) =>
  preferredLocale(request.headers['accept-language'])
