import { request } from 'node:http'
import { requestPath } from '@slipway/contract/client'
import type { ProjectId } from '@slipway/contract/projects'
import { createRelease, type Release, viewRelease } from '@slipway/contract/releases'
import autocannon from 'autocannon'
import { until } from '../../apps/server/src/testing/until.ts'
import type { Account } from './account.ts'

/** Uploads a zip. `sentAt` is when its last byte was sent, by `performance.now()`. */
async function uploadZip(url: string, token: string, id: ProjectId, archive: Buffer) {
  // `fetch` does not tell when the body was sent. The response is later: the server stores the
  // archive on the disk and commits a transaction before it.
  const uploading = request(`${url}/api${requestPath(createRelease, { params: { id } })}`, {
    method: createRelease.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/zip',
      'content-length': archive.length,
    },
  })
  const sent = Promise.withResolvers<number>()
  const responded = Promise.withResolvers<Release>()
  uploading.on('finish', () => sent.resolve(performance.now()))
  uploading.on('response', async (response) => {
    const body = Buffer.concat(await response.toArray()).toString()
    if (response.statusCode === 200) responded.resolve(JSON.parse(body))
    else responded.reject(new Error(`the upload failed: ${response.statusCode} ${body}`))
  })
  uploading.on('error', responded.reject)
  uploading.end(archive)
  const { number } = await responded.promise
  return { number, sentAt: await sent.promise }
}

/**
 * Uploads a zip as a release and waits until it is live. Returns when its last byte was sent, by
 * `performance.now()`. Throws when the release fails.
 */
export async function deployZip(
  url: string,
  { token, call }: Pick<Account, 'token' | 'call'>,
  id: ProjectId,
  archive: Buffer,
) {
  const { number, sentAt } = await uploadZip(url, token, id, archive)
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
