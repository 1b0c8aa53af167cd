import { describe, expect, it } from 'vitest'
import { createLog } from '../../../../log.ts'
import { sendJson, startApiServer } from '../api/api-server.fixture.ts'
import type { KubeObject } from '../api/resources.ts'
import { names } from '../objects/names.ts'
import { defaultSize } from '../objects/size.ts'
import { type TrialResult, tryNetworkPolicy } from './network-trial.ts'
import type { TrialPod } from './trial-objects.ts'

const settings = {
  installation: 'slipway',
  pods: {
    size: defaultSize,
    runtimeClassName: undefined,
    userNamespaces: false,
    imagePullPolicy: 'IfNotPresent' as const,
  },
  network: { gateways: [], closed: [], service: [], servicePorts: [] },
  storageClass: undefined,
  edge: undefined,
}

type Network = {
  /** Whether a connection of this pod succeeds, with or without the policy of sites. */
  connects: (from: TrialPod, phase: 'before' | 'restricted' | 'after') => boolean
  container?: object
  onRequest?: (request: string) => void
}

/**
 * A stand-in for a cluster, without running pods: their logs follow `connects`, so that it can have
 * a network that enforces policies. `network-trial.cluster.spec.ts` runs real pods.
 */
async function startCluster({ connects, container, onRequest }: Network) {
  const namespaces = new Map<string, object>()
  const deployments = new Set<string>()
  let phase: 'before' | 'restricted' | 'after' = 'before'
  let attempts = 0
  const roleOf = (path: string): TrialPod => (path.includes('-site') ? 'site' : 'neighbor')

  const podOf = (namespace: string) => ({
    metadata: { name: 'pod', namespace },
    spec: { containers: [{ name: names.site }] },
    status: {
      podIP: '10.0.0.1',
      conditions: container ? [] : [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: names.site, restartCount: 0, state: container }],
    },
  })
  function linesOf(path: string) {
    attempts += 10
    const result = connects(roleOf(path), phase) ? 'open' : 'closed'
    return [5, 6, 7, 8, 9].map((number) => `${attempts + number} ${result}\n`).join('')
  }

  const api = await startApiServer((request, response, url) => {
    const { method } = request
    const [, namespace = '', kind = ''] =
      /\/namespaces\/([^/]+)(?:\/([^/]+))?/.exec(url.pathname) ?? []
    onRequest?.(`${method} ${url.pathname}`)
    if (url.pathname.endsWith('/log')) return void response.end(linesOf(url.pathname))
    if (url.pathname.endsWith('/pods'))
      return sendJson(response, { items: [...deployments].map(podOf) })
    if (url.pathname.endsWith('/namespaces'))
      return sendJson(response, { items: [...namespaces.values()] })
    if (kind === 'networkpolicies') phase = method === 'DELETE' ? 'after' : 'restricted'
    if (kind === 'deployments') deployments.add(namespace)
    const metadata = { name: namespace, uid: namespace }
    if (kind === '' && method === 'DELETE') namespaces.delete(namespace)
    else if (kind === '') namespaces.set(namespace, { metadata })
    sendJson(response, { metadata } as KubeObject)
  })
  return { ...api, namespaces }
}

const run = async (network: Network, signal = new AbortController().signal) => {
  const { cluster, namespaces, requests } = await startCluster(network)
  const trial = tryNetworkPolicy({
    cluster,
    settings,
    image: 'registry.example/node',
    signal,
    log: createLog('silent'),
    times: { settleMs: 5, pollMs: 1 },
  })
  return { trial, namespaces, requests }
}
const resultIn = async (network: Network): Promise<TrialResult> => {
  const { trial, namespaces } = await run(network)
  const result = await trial
  expect(namespaces.size).toBe(0)
  return result
}

describe('the trial of NetworkPolicy', () => {
  it('finds it enforced when the policy of sites ends both connections', async () => {
    const result = await resultIn({ connects: (_from, phase) => phase !== 'restricted' })
    expect(result).toEqual({ outcome: 'enforced', detail: null })
  })

  it('finds it not enforced when one connection still succeeds, and says which', async () => {
    const incoming = 'a pod beside a site could connect to it'
    const outgoing = 'a site could connect to a pod beside it'
    const detailWhen = async (connects: Network['connects']) => {
      const { outcome, detail } = await resultIn({ connects })
      return outcome === 'not_enforced' && detail
    }
    expect(await detailWhen(() => true)).toBe(`${outgoing}, and ${incoming}`)
    expect(await detailWhen((from, phase) => phase !== 'restricted' || from === 'site')).toBe(
      outgoing,
    )
    expect(await detailWhen((from, phase) => phase !== 'restricted' || from === 'neighbor')).toBe(
      incoming,
    )
  })

  it('has no outcome in a network that is broken', async () => {
    expect(await resultIn({ connects: () => false })).toEqual({
      outcome: 'unknown',
      detail: 'pods could not connect to each other without a NetworkPolicy',
    })
  })

  it('has no outcome in a network that breaks while the policy is applied', async () => {
    expect(await resultIn({ connects: (_from, phase) => phase === 'before' })).toEqual({
      outcome: 'unknown',
      detail: 'pods could not connect to each other after the NetworkPolicy was removed',
    })
  })

  it('has no outcome when a pod does not start, and says why', async () => {
    const message = 'Back-off pulling image "registry.example/node"'
    const container = { waiting: { reason: 'ImagePullBackOff', message } }
    expect(await resultIn({ connects: () => true, container })).toEqual({
      outcome: 'unknown',
      detail: `a pod did not start: ${message}`,
    })
  })

  it('removes its namespaces when the worker stops', async () => {
    const stopping = new AbortController()
    const onRequest = (request: string) => {
      if (request.endsWith('/log')) stopping.abort()
    }
    const { trial, namespaces } = await run({ connects: () => true, onRequest }, stopping.signal)
    await expect(trial).rejects.toThrow()
    expect(namespaces.size).toBe(0)
  })
})
