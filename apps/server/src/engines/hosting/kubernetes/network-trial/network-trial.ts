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
  answer: 'enforced' | 'not_enforced' | 'not_tried'
  detail: string | null
}

export type TrialOptions = {
  cluster: Cluster
  settings: ObjectSettings
  /** `deploy/runtimes/node`. */
  image: string
  /** Ends the trial at its next step. What it made is removed. */
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

/** A result counts once so many attempts in a row have it: one may fail by chance. */
const steadyAttempts = 5

type Connection = 'open' | 'closed'
type Attempt = { number: number; connection: Connection }
type Pod = { role: TrialPod; namespace: string; name: string; host: string }

/** There is no answer. The message is a sentence for operators. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

const passedConnections: Record<TrialPod, string> = {
  site: 'a site could connect to a pod beside it',
  neighbor: 'a pod beside a site could connect to it',
}

/**
 * Deletes what network trials have made, those of killed workers included. One runs at a time in
 * an installation.
 */
async function removeTrials(cluster: Cluster, installation: string) {
  const selector = `${selectorOf(ownLabels(installation))},${labels.trial}`
  const { items } = await cluster.list(kinds.Namespace, selector)
  for (const { metadata } of items) await cluster.remove(objectOf(kinds.Namespace, metadata))
}

/**
 * Tries whether the cluster's network enforces NetworkPolicy: a pod like a site's and one beside it
 * connect to each other. Without a policy both must succeed, with the policy of sites both must
 * fail, and without it both must succeed again: so it was the policy, and no broken network. Needs
 * no right that sites do not need. Rejects when the signal aborts.
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
      const found = await find()
      if (found !== undefined || performance.now() >= end) return found
      await sleep(pollMs, undefined, { signal })
    }
  }

  async function podOf(namespace: string) {
    const { items } = await cluster.list(kinds.Pod, selector)
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
        throw new NoAnswerError(`a pod did not start: ${pod.problem.detail}`)
      return pod?.isReady && pod.host !== null ? { ...pod, host: pod.host } : undefined
    })
    if (started) return { role, namespace: name, name: started.name, host: started.host }
    const found = await cluster.read(kinds.Deployment, deployment.metadata.name, name)
    const reason = (await podOf(name))?.problem?.detail ?? (found && viewOfObject(found).podFailure)
    throw new NoAnswerError(`a pod did not start in time${reason ? `: ${reason}` : ''}`)
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
   * Waits until all new attempts have this result. Resolves with those pods that do not have it,
   * and the newest attempt of each.
   */
  async function othersThan(expected: Connection, pods: readonly Pod[]) {
    // An attempt that has begun already is not a new one.
    const begun = new Map<Pod, number>()
    for (const pod of pods) begun.set(pod, (await newestOf(pod)) + 1)
    let others: { pod: Pod; newest: Connection | undefined }[] = []
    await poll(settleMs, async () => {
      others = []
      for (const pod of pods) {
        const fresh = (await attemptsOf(pod)).filter(({ number }) => number > (begun.get(pod) ?? 0))
        const isSteady =
          fresh.length === steadyAttempts &&
          fresh.every(({ connection }) => connection === expected)
        if (!isSteady) others.push({ pod, newest: fresh.at(-1)?.connection })
      }
      return others.length === 0 ? true : undefined
    })
    return others
  }

  async function run(): Promise<TrialResult> {
    const site = await startPod('site')
    const neighbor = await startPod('neighbor', site.host)
    const pods = [site, neighbor]
    if ((await othersThan('open', pods)).length > 0)
      throw new NoAnswerError('pods could not connect to each other without a NetworkPolicy')

    await cluster.apply(objects.policy)
    const others = await othersThan('closed', pods)
    if (others.some(({ newest }) => newest === undefined))
      throw new NoAnswerError('the logs of the pods could not be read')
    if (others.length > 0) {
      const detail = others.map(({ pod }) => passedConnections[pod.role]).join(', and ')
      return { answer: 'not_enforced', detail }
    }

    await cluster.remove(objects.policy)
    if ((await othersThan('open', pods)).length > 0)
      throw new NoAnswerError(
        'pods could not connect to each other after the NetworkPolicy was removed',
      )
    return { answer: 'enforced', detail: null }
  }

  try {
    await removeTrials(cluster, installation)
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ApiError || error instanceof NoAnswerError)) throw error
    return { answer: 'not_tried', detail: error.message }
  } finally {
    await removeTrials(cluster, installation).catch((err: unknown) =>
      log.warn({ err }, 'The pods of a network trial could not be removed: the next one does it'),
    )
  }
}
