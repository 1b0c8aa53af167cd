import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { type Crashes, steadyTime } from '../crashes.ts'
import type { KubeObject } from './api/resources.ts'
import { labels, names } from './objects/names.ts'

/** Why a pod does not accept requests. `detail`: an exit code, or Kubernetes' own words. */
export type PodProblem = {
  kind:
    | 'image_not_found'
    | 'image_access_denied'
    | 'image_not_pulled'
    | 'container_rejected'
    | 'program_exited'
    | 'out_of_memory'
    | 'release_not_fetched'
    | 'no_room'
    | 'volume_unbound'
  detail: string
  /**
   * False for a problem that may end without a change, such as a growing cluster's missing node.
   */
  isFinal: boolean
}

export type PodView = {
  key: string
  namespace: string
  name: string
  uid: string
  launch: string
  createdAt: string
  /** Null before it has one. */
  host: string | null
  port: number
  isReady: boolean
  /** True once it is being deleted or has ended for good: it gets no further requests. */
  isEnding: boolean
  /**
   * True once all its containers have ended for good. An evicted pod stays like that after its
   * replacement is ready and also after its site was stopped, until its ReplicaSet is deleted.
   */
  isOver: boolean
  restarts: number
  /** The crashes of its program; null before the first. */
  crashes: Crashes | null
  /** True once its program has run. */
  hasRun: boolean
  problem: PodProblem | null
  /** The version of the Node that fetched its release, once it has. */
  nodeVersion: string | null
  /** The state of a pod that installs packages; null for any other. */
  install: InstallView | null
}

export type InstallView = {
  state: 'running' | 'succeeded' | 'failed'
  /** Why the cluster ended it, in Kubernetes' words, such as Evicted; empty when it did not. */
  reason: string
  /** The cluster's message about that, or the report of the pod's program. */
  message: string
  isOutOfMemory: boolean
}

const pullFailures = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
])
const rejections = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
])
/** The first attempt may fail temporarily; the kubelet waits after the second. */
const temporaryFailures = new Set(['ErrImagePull', 'RegistryUnavailable', 'RunContainerError'])
/** The kubelet's messages about a container that a busy node could not create yet. */
const busyNode = /failed to sync \w+ cache|timed out|deadline exceeded|is reserved for/i
/** The responses of a registry, in the words of container runtimes. */
const registryResponses = [
  // Checked first: to callers without access some registries say that the image does not exist.
  {
    kind: 'image_access_denied',
    words: /\b40[13]\b|unauthorized|forbidden|denied|authori[sz]ation|no basic auth/i,
  },
  { kind: 'image_not_found', words: /\b404\b|not found|(manifest|name) unknown/i },
] as const

/** Why an image was not pulled. A response of its registry is final at once. */
function pullProblem(reason: string, message: string): PodProblem {
  // Names of images may contain any of the words.
  const words = message.replace(/"[^"]*"|\S*\/\S*/g, ' ')
  const response = registryResponses.find((each) => each.words.test(words))
  return {
    kind: response?.kind ?? 'image_not_pulled',
    detail: message || reason,
    isFinal: response !== undefined || !temporaryFailures.has(reason),
  }
}

/** A program that ended this often does not start. */
const finalRestarts = 2

function problemOfContainer(status: V1ContainerStatus): PodProblem | null {
  const { waiting, terminated } = status.state ?? {}
  const { reason = '', message = '' } = waiting ?? {}
  if (pullFailures.has(reason)) return pullProblem(reason, message)
  if (rejections.has(reason))
    return {
      kind: 'container_rejected',
      detail: message || reason,
      isFinal: !temporaryFailures.has(reason) && !busyNode.test(message),
    }
  const ended = terminated ?? (status.ready ? undefined : status.lastState?.terminated)
  if (!ended) return null
  return {
    kind: ended.reason === 'OOMKilled' ? 'out_of_memory' : 'program_exited',
    detail: ended.signal ? `signal ${ended.signal}` : String(ended.exitCode),
    isFinal: reason === 'CrashLoopBackOff' || status.restartCount >= finalRestarts,
  }
}

/** The files of the release could not be fetched, which is no fault of its program. */
const notFetched = ({ isFinal, detail }: PodProblem): PodProblem => ({
  kind: 'release_not_fetched',
  detail,
  isFinal,
})

function problemOf({ status }: V1Pod): PodProblem | null {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status === 'False') {
    const detail = scheduled.message ?? ''
    const kind = /persistentvolumeclaim/i.test(detail) ? 'volume_unbound' : 'no_room'
    return { kind, detail, isFinal: false }
  }
  const fetching = status?.initContainerStatuses?.find(({ name }) => name === names.fetch)
  const fetchProblem = fetching && !fetching.ready ? problemOfContainer(fetching) : null
  if (fetchProblem)
    return fetchProblem.kind === 'program_exited' ? notFetched(fetchProblem) : fetchProblem
  const programs: string[] = [names.site, names.install]
  const container = status?.containerStatuses?.find(({ name }) => programs.includes(name))
  return container ? problemOfContainer(container) : null
}

function crashesOf(status: V1ContainerStatus | undefined): Crashes | null {
  const { running, terminated } = status?.state ?? {}
  const { startedAt, finishedAt } = terminated ?? status?.lastState?.terminated ?? {}
  if (!status || !startedAt || !finishedAt) return null
  const lastAt = new Date(finishedAt).getTime()
  const ranWell = lastAt - new Date(startedAt).getTime() >= steadyTime
  // The kubelet counts a restart once the program runs again.
  return { count: ranWell ? 1 : status.restartCount + (running ? 0 : 1), lastAt }
}

/** The version of Node, as the program that fetches a release reports it. */
function nodeVersionOf({ status }: V1Pod): string | null {
  const fetching = status?.initContainerStatuses?.find(({ name }) => name === names.fetch)
  const { message = '' } = fetching?.state?.terminated ?? {}
  return /^\d{1,3}(?:\.\d{1,4}){2}$/.test(message) ? message : null
}

function installOf({ metadata, status }: V1Pod): InstallView | null {
  if (metadata?.labels?.[labels.install] === undefined) return null
  const ended = status?.containerStatuses?.find(({ name }) => name === names.install)?.state
    ?.terminated
  const { phase, reason = '', message } = status ?? {}
  return {
    state: phase === 'Succeeded' ? 'succeeded' : phase === 'Failed' ? 'failed' : 'running',
    reason,
    message: message ?? ended?.message ?? '',
    isOutOfMemory: ended?.reason === 'OOMKilled',
  }
}

/**
 * True if a pod accepts requests. A site does once its startup probe has passed: before Kubernetes
 * 1.22 the condition Ready follows up to a second later. A pod without that condition whose
 * container is ready is on a node that no longer reports to the cluster.
 */
function isReady({ spec, status }: V1Pod, site: V1ContainerStatus | undefined): boolean {
  if (site && !site.ready && spec?.containers[0]?.startupProbe)
    return site.started === true && site.state?.running !== undefined
  return (
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false
  )
}

export function viewOfPod(object: KubeObject): PodView {
  const pod = object as unknown as V1Pod
  const { metadata } = object
  const isOver = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded'
  const container = pod.spec?.containers[0]
  const status = pod.status?.containerStatuses?.find(({ name }) => name === names.site)
  return {
    key: metadata.labels?.[labels.key] ?? '',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid ?? '',
    launch: metadata.labels?.[labels.launch] ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    host: pod.status?.podIP ?? null,
    port: container?.ports?.[0]?.containerPort ?? 0,
    isReady: isReady(pod, status),
    isEnding: isOver || metadata.deletionTimestamp !== undefined,
    isOver,
    restarts: status?.restartCount ?? 0,
    crashes: crashesOf(status),
    hasRun: [status?.state, status?.lastState].some(
      (state) => state?.running !== undefined || state?.terminated !== undefined,
    ),
    problem: problemOf(pod),
    nodeVersion: nodeVersionOf(pod),
    install: installOf(pod),
  }
}

/** The pod that gets the requests: the newest one that is ready and not ending. */
export const servingPod = (pods: readonly PodView[]): PodView | null =>
  pods
    .filter(({ isReady, isEnding, host }) => isReady && !isEnding && host !== null)
    .sort((first, second) => (first.createdAt < second.createdAt ? 1 : -1))[0] ?? null
