import type { FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'

const ownHosts = ['localhost', '127.0.0.1', '[::1]']

/**
 * Admits requests by the machine's own host names alone, and none that a proxy passed on: for what plays
 * somebody else on a development machine. A foreign page whose name was rebound to this address, or a
 * proxy put before it, finds nothing here.
 */
export async function onOwnHostOnly(request: FastifyRequest): Promise<void> {
  const passedOn = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers
  if (passedOn || !ownHosts.includes((request.headers.host ?? '').replace(/:\d+$/, '')))
    throw problem('route_not_found')
}
