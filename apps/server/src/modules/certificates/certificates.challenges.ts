import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import * as store from './certificates.store.ts'

/** The characters of base64url; at least 128 bits (RFC 8555 §8.3). A CA may send a longer one. */
const tokenPattern = /^[\w-]{22,512}$/

/** The least time between the starts of two reads, in milliseconds. */
const readInterval = 20

/**
 * Finds the responses to challenges of open orders. All requests that arrive before a read starts
 * share it: any client may request challenges, and a flood of requests with a query for each would
 * delay a CA's requests. A read starts after its requests arrived, because a CA requests a
 * challenge as soon as it is stored.
 */
export function createChallenges(ctx: Pick<Context, 'db'>) {
  let nextRead: Promise<store.HttpChallenge[]> | undefined
  let lastRead: Promise<unknown> = Promise.resolve()

  async function read() {
    await lastRead
    nextRead = undefined
    // A query without `execute` runs each time that its result is awaited.
    const challenges = store.listHttpChallenges(ctx.db).execute()
    lastRead = Promise.allSettled([challenges, sleep(readInterval)])
    return challenges
  }

  return {
    /**
     * The response to a request for `/.well-known/acme-challenge/<token>` at a host in lower case
     * (RFC 8555 §8.3); null when no order waits for it.
     */
    async find(host: string, token: string): Promise<string | null> {
      if (!tokenPattern.test(token)) return null
      nextRead ??= read()
      const challenges = await nextRead
      return challenges.find((each) => each.host === host && each.token === token)?.response ?? null
    },
  }
}
