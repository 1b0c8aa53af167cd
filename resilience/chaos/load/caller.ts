import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@slipway/contract/client'
import type { Endpoint, RequestOf, ResponseOf } from '@slipway/contract/endpoint'
import type { Random } from '../../harness/random.ts'
import type { Product } from '../product/product.ts'
import { type Attempt, attempt } from './attempt.ts'
import type { Journal } from './journal.ts'

/** A call without a response in this time has an unknown outcome. */
const responseTimeout = 60_000
const retryDelay = 300

/** A request; with an idempotency key it counts once, however often it is sent. */
type Request<E> = RequestOf<E> & { idempotencyKey?: string }

/** A client whose request may be empty. */
type Send = <E extends Endpoint>(endpoint: E, request: Request<E>) => Promise<ResponseOf<E>>

export type Caller = ReturnType<typeof createCaller>

/** Calls any of the web servers as one user, and counts the outcomes. */
export function createCaller({ urls }: Product, random: Random, journal: Journal) {
  let token: string | null = null
  const clients = urls.map((url) =>
    createClient({
      base: `${url}/api`,
      token: () => token,
      locale: () => 'en',
      fetch: (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(responseTimeout) }),
    }),
  )

  async function call<E extends Endpoint>(
    endpoint: E,
    request: Request<E>,
  ): Promise<Attempt<ResponseOf<E>>> {
    const client = random.pick(clients)
    if (!client) throw new Error('there is no web server')
    const result = await attempt((client as Send)(endpoint, request))
    journal[result.outcome]++
    if (result.outcome === 'rejected' && result.code === 'unauthorized' && token !== null)
      journal.unexpected.push(`an acknowledged session is rejected by ${endpoint.path}`)
    return result
  }

  /** Repeats a call until its outcome is known; for calls that may be sent twice. */
  async function callUntilKnown<E extends Endpoint>(endpoint: E, request: Request<E>) {
    for (;;) {
      const result = await call(endpoint, request)
      if (result.outcome !== 'unknown') return result
      await sleep(retryDelay)
    }
  }

  return {
    call,
    callUntilKnown,

    /** Repeats a call until it is acknowledged; for calls that nothing can reject. */
    async need<E extends Endpoint>(endpoint: E, request: Request<E>) {
      const result = await callUntilKnown(endpoint, request)
      if (result.outcome === 'acknowledged') return result.result
      throw new Error(`${endpoint.path} is rejected: ${result.code}`)
    },

    signIn(newToken: string) {
      token = newToken
    },
  }
}
