import type { ProjectId } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import autocannon from 'autocannon'
import { until } from '../../apps/server/src/testing/until.ts'
import type { createAccount } from './account.ts'

type Account = Awaited<ReturnType<typeof createAccount>>

/**
 * Uploads a zip as a release and waits until it is live. Returns when its last byte was sent, by
 * `performance.now()`. Throws when the release fails.
 */
export async function deployZip({ call }: Pick<Account, 'call'>, id: ProjectId, archive: Buffer) {
  const body = new Blob([new Uint8Array(archive)], { type: 'application/zip' })
  // The response follows the last byte at once.
  const { number } = await call(createRelease, { params: { id }, query: {}, body })
  const sentAt = performance.now()
  const params = { id, number: String(number) }
  const { state, failure } = await until(async () => {
    const release = await call(viewRelease, { params })
    return release.state !== 'checking' && release
  })
  if (state !== 'live') throw new Error(`the release failed: ${failure}`)
  return sentAt
}

/**
 * Visits the site of a host 100 times a second. `stop` returns the count of visits and of those
 * that failed.
 */
export function startVisits(sitesPort: number, host: string) {
  const visited = Promise.withResolvers<autocannon.Result>()
  const visits = autocannon(
    {
      url: `http://127.0.0.1:${sitesPort}/`,
      headers: { host },
      connections: 10,
      overallRate: 100,
      duration: 600,
    },
    (error, result) => (error ? visited.reject(error) : visited.resolve(result)),
  )
  return {
    async stop() {
      visits.stop()
      const { non2xx, errors, requests } = await visited.promise
      return { failed: non2xx + errors, visits: requests.total }
    },
  }
}
