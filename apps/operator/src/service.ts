import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, type Client, createClient } from '@slipway/contract/client'
import { second } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'
import { Failure, isRefusal, NoAnswer } from './failure.ts'

/** How long an answer may take. */
const patience = 30 * second
/** The pauses before a call without an answer is made again. */
const pauses = [0.5 * second, second]

const defaultUrl = 'http://localhost:3000'

/** The address of the service as an origin. Throws a `Failure` when it is none. */
export function serviceUrl(given: string | undefined, locale: Locale): string {
  const text = given || defaultUrl
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw new Failure(m.operator_url_wrong({ url: text }, { locale }))
  return url.origin
}

/** True when what is sent there can be read on its way. */
export const isOpenToReaders = (url: string) => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/**
 * The contract's client at that address. Rejects with an ApiError for what the service refuses, with a
 * `NoAnswer` when it is away, and with a `Failure` when something else answers.
 */
export function createService(url: string, token: string | null, locale: Locale): Client {
  const client = createClient({
    base: `${url}/api`,
    token: () => token,
    locale: () => locale,
    fetch: async (input, init) => {
      try {
        const signal = AbortSignal.timeout(patience)
        const answer = await fetch(input, { ...init, signal })
        // With its body, which may break off, too.
        return new Response(answer.status === 204 ? null : await answer.arrayBuffer(), answer)
      } catch (cause) {
        throw new NoAnswer(m.operator_away({ url }, { locale }), { cause })
      }
    },
  })
  return (endpoint, ...given) =>
    client(endpoint, ...given).catch((error) => {
      if (error instanceof ApiError || error instanceof Failure) throw error
      throw new Failure(m.operator_not_slipway({ url }, { locale }), { cause: error })
    })
}

/** Makes a call that does no harm when it is made twice again while there is no answer to it. */
export async function persistently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (const wait of pauses) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof NoAnswer) && !isRefusal(error, 'unavailable')) throw error
      await pause(wait)
    }
  }
  return call()
}
