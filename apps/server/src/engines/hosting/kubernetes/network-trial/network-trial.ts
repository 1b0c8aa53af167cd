import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../../log.ts'
import { ApiError } from '../api/api-error.ts'
import type { Cluster } from '../api/cluster.ts'
import { kinds, objectOf } from '../api/resources.ts'
import { viewOfObject } from '../object-state.ts'
import { labels, ownLabels, selectorOf } from '../objects/names.ts'
import type { ObjectSettings } from '../objects/project-objects.ts'
import { viewOfPod } from '../pod-state.ts'
import { type TrialPod, trialLabels, trialObjects } from './trial-objects.ts'

/** Whether NetworkPolicy is enforced. The detail is a sentence for operators. */
export type TrialResult = {
  outcome: 'enforced' | 'not_enforced' | 'unknown'
  detail: string | null
}

export type TrialOptions = {
  cluster: Cluster
  settings: ObjectSettings
  /** `deploy/runtimes/node`. */
  image: string
  /** Ends the trial at its next step, after its objects are removed. */
  signal: AbortSignal
  log: Log
  times?: Partial<Times>
}

type Times = {
  /** How long a pod may take to start, with the pull of its image. */
  startMs: number
  /** How long a network may take to apply a policy, or its removal. */
  settleMs: number
  pollMs: number
}
const defaultTimes: Times = { startMs: 120_000, settleMs: 30_000, pollMs: 1_000 }

/** This many attempts in a row must have the same result: one may fail by chance. */
const steadyAttempts = 5

type Connection = 'open' | 'closed'
type Attempt = { number: number; connection: Connection }
type Pod = { role: TrialPod; namespace: string; name: string; host: string }

/** The outcome is unknown. The message is a sentence for operators. */
class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
}

/** The sentences for operators about connections that the policy did not block. */
const unblockedTexts: Record<TrialPod, string> = {
  site: 'a site could connect to a pod beside it',
  neighbor: 'a pod beside a site could connect to it',
}

/**
 * Deletes the namespaces of all trials, even after a killed worker. An installation runs one trial
 * at a time.
 */
async function removeTrials(cluster: Cluster, installation: string) {
  const selector = `${selectorOf(ownLabels(installation))},${labels.trial}`
  const items = await cluster.list(kinds.Namespace, selector)
  for (const { metadata } of items) await cluster.remove(objectOf(kinds.Namespace, metadata))
}

/**
 * Tests whether the cluster's network enforces NetworkPolicy: a pod like a site's and one beside it
 * connect to each other. Without a policy both must succeed, with the policy of sites both must
 * fail, and without it both must succeed again, which rules out a broken network. Needs only the
 * permissions of sites. Rejects when the signal aborts.
 */
export async function tryNetworkPolicy(options: TrialOptions): Promise<TrialResult> {
  const { cluster, settings, image, signal, log } = options
  const { startMs, settleMs, pollMs } = { ...defaultTimes, ...options.times }
  const { installation } = settings
  const trialId = randomBytes(4).toString('hex')
  const objects = trialObjects(settings, image, trialId)
  const selector = selectorOf(trialLabels(installation, trialId))

  /** Polls until there is a result; undefined when there is none in time. */
  async function poll<Result>(ms: number, find: () => Promise<Result | undefined>) {
    const end = performance.now() + ms
    for (;;) {
      signal.throwIfAborted()
      const value = await find()
      if (value !== undefined || performance.now() >= end) return value
      await sleep(pollMs, undefined, { signal })
    }
  }

  async function podOf(namespace: string) {
    const items = await cluster.list(kinds.Pod, selector)
    return items.map(viewOfPod).find((pod) => pod.namespace === namespace)
  }

  async function startPod(role: TrialPod, target?: string): Promise<Pod> {
    const namespace = objects.namespaceOf(role)
    const deployment = objects.deploymentOf(role, target)
    await cluster.apply(namespace)
    await cluster.apply(deployment)
    const { name } = namespace.metadata
    const started = await poll(startMs, async () => {
      const pod = await podOf(name)
      if (pod?.problem?.isFinal)
        throw new UnknownOutcomeError(`a pod did not start: ${pod.problem.detail}`)
      return pod?.isReady && pod.host !== null ? { ...pod, host: pod.host } : undefined
    })
    if (started) return { role, namespace: name, name: started.name, host: started.host }
    const stored = await cluster.read(kinds.Deployment, deployment.metadata.name, name)
    const reason =
      (await podOf(name))?.problem?.detail ?? (stored && viewOfObject(stored).podFailure)
    throw new UnknownOutcomeError(`a pod did not start in time${reason ? `: ${reason}` : ''}`)
  }

  /** The newest attempts of a pod; none while its log cannot be read. */
  async function attemptsOf({ namespace, name }: Pod): Promise<Attempt[]> {
    const query = { previous: false, lines: steadyAttempts }
    const text = await cluster.lastLines(namespace, name, query).catch((error: unknown) => {
      if (error instanceof ApiError && error.failure === 'retry') return ''
      throw error
    })
    return [...text.matchAll(/^(\d+) (open|closed)$/gm)].map(([, number, connection]) => ({
      number: Number(number),
      connection: connection as Connection,
    }))
  }

  const newestOf = async (pod: Pod) => (await attemptsOf(pod)).at(-1)?.number ?? 0

  /**
   * Waits until the new attempts of all pods have the expected result. Resolves with the pods that
   * do not have it in time, and the newest attempt of each.
   */
  async function waitForAll(expected: Connection, pods: readonly Pod[]) {
    // The attempt after the newest logged one has begun already, so it is not a new one.
    const lastOld = new Map<Pod, number>()
    for (const pod of pods) lastOld.set(pod, (await newestOf(pod)) + 1)
    let deviating: { pod: Pod; newest: Connection | undefined }[] = []
    await poll(settleMs, async () => {
      deviating = []
      for (const pod of pods) {
        const attempts = (await attemptsOf(pod)).filter(
          ({ number }) => number > (lastOld.get(pod) ?? 0),
        )
        const isSteady =
          attempts.length === steadyAttempts &&
          attempts.every(({ connection }) => connection === expected)
        if (!isSteady) deviating.push({ pod, newest: attempts.at(-1)?.connection })
      }
      return deviating.length === 0 ? true : undefined
    })
    return deviating
  }

  async function run(): Promise<TrialResult> {
    const site = await startPod('site')
    const neighbor = await startPod('neighbor', site.host)
    const pods = [site, neighbor]
    if ((await waitForAll('open', pods)).length > 0)
      throw new UnknownOutcomeError('pods could not connect to each other without a NetworkPolicy')

    await cluster.apply(objects.policy)
    const unblocked = await waitForAll('closed', pods)
    if (unblocked.some(({ newest }) => newest === undefined))
      throw new UnknownOutcomeError('the logs of the pods could not be read')
    if (unblocked.length > 0) {
      const detail = unblocked.map(({ pod }) => unblockedTexts[pod.role]).join(', and ')
      return { outcome: 'not_enforced', detail }
    }

    await cluster.remove(objects.policy)
    if ((await waitForAll('open', pods)).length > 0)
      throw new UnknownOutcomeError(
        'pods could not connect to each other after the NetworkPolicy was removed',
      )
    return { outcome: 'enforced', detail: null }
  }

  try {
    await removeTrials(cluster, installation)
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ApiError || error instanceof UnknownOutcomeError)) throw error
    return { outcome: 'unknown', detail: error.message }
  } finally {
    await removeTrials(cluster, installation).catch((err: unknown) =>
      log.warn({ err }, 'The pods of a network trial could not be removed: the next one does it'),
    )
  }
}
