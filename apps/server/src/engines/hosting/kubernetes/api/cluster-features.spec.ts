import { describe, expect, it } from 'vitest'
import { createLogBook } from '../../../../testing/log-book.ts'
import { sendJson, startApiServer } from './api-server.fixture.ts'
import { featuresOf, missingApis, readFeatures } from './cluster-features.ts'
import { kinds } from './resources.ts'

const groups = (...versions: string[]) => ({
  groups: versions.map((groupVersion) => ({ versions: [{ groupVersion }] })),
})

/** Reads the features of an API server that responds so to `/version` and `/apis`. */
async function read(respond: (path: string) => { body: object; status?: number }) {
  const { log, lines } = createLogBook()
  const { cluster } = await startApiServer(
    (_, response, { pathname }) => {
      const { body, status } = respond(pathname)
      sendJson(response, body, status)
    },
    { attempts: 1 },
  )
  const features = await readFeatures({
    cluster,
    closing: new AbortController().signal,
    log,
    backoff: { initialMs: 1, maxMs: 2 },
  })
  return { features, messages: lines.map(({ message }) => message) }
}

describe('the features of a cluster', () => {
  it.each([
    ['v1.29.9', false],
    ['v1.30.0', true],
  ])('of version %s include fast nodes: %s', (version, fast) => {
    expect(featuresOf(version, []).hasFastNodes).toBe(fast)
  })

  it.each([
    ['v1.20.2', false, false],
    ['v1.24.17-eks-1', false, false],
    ['v1.25.0', true, false],
    ['v1.32.4+k3s1', true, false],
    ['v1.33.1-gke.100', true, true],
    ['', true, false],
  ])('follow from its version %s', (version, knowsHostUsers, hasUserNamespaces) => {
    expect(featuresOf(version, [])).toMatchObject({ knowsHostUsers, hasUserNamespaces })
  })

  it('are read at `/version` and `/apis`, once the API server responds', async () => {
    let failures = 3
    const { features } = await read((path) => {
      if (failures-- > 0) return { body: { message: 'later' }, status: 503 }
      return path === '/apis'
        ? { body: groups('apps/v1', 'policy/v1') }
        : { body: { gitVersion: 'v1.33.1' } }
    })
    expect(features.version).toBe('v1.33.1')
    expect([...features.apiVersions]).toEqual(['apps/v1', 'policy/v1'])
  })

  it.each([
    [401, 20],
    [403, 5],
  ])('are read after status %i, %i times', async (status, times) => {
    let denials = times
    const { features, messages } = await read((path) => {
      if (denials-- > 0) return { body: {}, status }
      return { body: path === '/apis' ? groups() : { gitVersion: 'v1.33.1' } }
    })
    expect(features.version).toBe('v1.33.1')
    expect(messages).toEqual([])
  })

  it('are unknown if the cluster keeps denying them, and the log says so', async () => {
    const { features, messages } = await read(() => ({ body: {}, status: 403 }))
    expect(features.hasFastNodes).toBe(false)
    expect(features).toMatchObject({ version: '', knowsHostUsers: true, knowsPreStopSleep: false })
    expect(messages).toEqual(['The version of the cluster could not be read'])
  })

  it('name each API that is missing, once', () => {
    const old = featuresOf('v1.20.2', ['apps/v1'])
    const needed = [kinds.Pod, kinds.Deployment, kinds.NetworkPolicy, kinds.Ingress]
    expect(missingApis(old, needed)).toEqual(['networking.k8s.io/v1'])
  })
})
