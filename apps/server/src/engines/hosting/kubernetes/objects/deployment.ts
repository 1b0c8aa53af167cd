import { second } from '@slipway/contract/limits'
import type { Instance } from '../../engine.ts'
import { defaultHangRules } from '../../local/supervisor/hang-watch.ts'
import type { PodProgram, StartCheck } from '../runtimes/pod-program.ts'
import { labels, names, releaseSecret } from './names.ts'
import { containerResources, releaseSize, type Size } from './size.ts'

export type PodSettings = {
  size: Size
  /** A runtime class of the cluster with a stronger sandbox, such as gVisor's. */
  runtimeClassName: string | undefined
  /** True to run pods in their own user namespaces, where the cluster can. */
  userNamespaces: boolean
  /** Whether the cluster can let a container sleep before it is stopped: the engine reads it. */
  preStopSleep?: boolean
  imagePullPolicy: 'IfNotPresent' | 'Never' | 'Always'
}

/** The parts of an instance whose change needs another pod, in addition to its image. */
export type LaunchParts = Pick<Instance, 'key' | 'restarts'> & {
  /** The name of the Secret with the variables. */
  environment: string
}

/** How long a pod may take to accept requests before it is started again, in seconds. */
const startupSeconds = 120
const probeSeconds = 2
/**
 * A running program that accepts no connections for this time gets no visitors from an edge of the
 * operator until it does. Our gateway keeps the address: the site has no other pod.
 */
const unreadySeconds = 10

/** Gateways learn the new address within this time, before the previous pod ends. */
const readySeconds = 2

/** An image without a drain command has this time to finish its pages before it is stopped. */
const sleepSeconds = 5

/** The hook before a container is stopped; undefined where the cluster supports none. */
function preStopOf({ drainCommand }: PodProgram, { preStopSleep }: PodSettings) {
  if (drainCommand !== null) return { exec: { command: drainCommand } }
  return preStopSleep ? { sleep: { seconds: sleepSeconds } } : undefined
}

/** The inputs of a launch: an equal program has the same launch. */
export type Program = { program: PodProgram; settings: PodSettings; launch: LaunchParts }

/** The restrictions of every container (Pod Security Standards, restricted). */
export const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  privileged: false,
  readOnlyRootFilesystem: true,
}

const fetchScript = '/slipway/fetch-release.mjs'
export const app = { name: 'app', mountPath: '/app' }
const settingsFolder = { name: 'settings', mountPath: '/settings', readOnly: true }

/** Fetches the files of the release, and checks them, before the program starts. */
export function fetchContainer(fetchImage: string, { size, imagePullPolicy }: PodSettings) {
  return {
    name: names.fetch,
    image: fetchImage,
    imagePullPolicy,
    command: ['node', fetchScript, '/release/release.json', app.mountPath],
    resources: containerResources(size, { hasRelease: true }),
    securityContext: restricted,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      app,
      { name: 'release', mountPath: '/release', readOnly: true },
    ],
  }
}

function startupProbe(check: StartCheck) {
  if ('path' in check)
    return {
      httpGet: { path: check.path, port: 'http' },
      periodSeconds: 1,
      timeoutSeconds: probeSeconds,
      failureThreshold: startupSeconds,
    }
  return {
    exec: { command: check.command },
    periodSeconds: 1,
    timeoutSeconds: check.seconds,
    failureThreshold: startupSeconds,
  }
}

/** Restarts a program that hangs, by the rules of the local engine (`defaultHangRules`). */
const livenessProbe = (path: string) => ({
  httpGet: { path, port: 'http' },
  periodSeconds: defaultHangRules.intervalMs / second,
  timeoutSeconds: defaultHangRules.timeoutMs / second,
  failureThreshold: defaultHangRules.failures,
})

/**
 * In memory, as in the local engine: a full one is an error of the program that writes. On a disk
 * the kubelet evicts the pod, so that a visitor who uploads enough would stop a site.
 */
const temporaryFiles = { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } }

const volumesOf = ({ dataPath, release, settings }: PodProgram) => [
  temporaryFiles,
  ...(dataPath === null
    ? []
    : [{ name: names.data, persistentVolumeClaim: { claimName: names.data } }]),
  ...(release === null
    ? []
    : [
        { name: 'app', emptyDir: { sizeLimit: releaseSize } },
        { name: 'release', secret: { secretName: releaseSecret(release.artifact) } },
      ]),
  ...(settings === null ? [] : [{ name: 'settings', secret: { secretName: names.settings } }]),
]

/** Isolates a pod from its node and from the API server. */
export const isolation = (
  { runtimeClassName, userNamespaces }: Pick<PodSettings, 'runtimeClassName' | 'userNamespaces'>,
  userId: number,
) => ({
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
  ...(userNamespaces ? { hostUsers: false } : {}),
  securityContext: {
    runAsNonRoot: true,
    runAsUser: userId,
    runAsGroup: userId,
    fsGroup: userId,
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
  },
})

/** The specification of a site's pod: the restricted profile, in the pod itself. */
function podSpec({ program, settings, launch: { key, environment } }: Program) {
  const { size, imagePullPolicy } = settings
  const { image, userId, release, dataPath: data } = program
  const preStop = preStopOf(program, settings)
  return {
    ...isolation(settings, userId),
    hostname: key.slice(0, 63),
    terminationGracePeriodSeconds: 30,
    ...(program.needsCredentials ? { imagePullSecrets: [{ name: names.registry }] } : {}),
    ...(data === null ? {} : { affinity: nearItself(key) }),
    ...(release === null ? {} : { initContainers: [fetchContainer(release.fetchImage, settings)] }),
    containers: [
      {
        name: names.site,
        image,
        imagePullPolicy,
        ...(program.command === undefined ? {} : { command: program.command }),
        ...(release === null ? {} : { workingDir: app.mountPath }),
        env: [{ name: 'PORT', value: String(program.port) }],
        envFrom: [{ secretRef: { name: environment } }],
        ports: [{ name: 'http', containerPort: program.port, protocol: 'TCP' }],
        resources: containerResources(size, { hasRelease: release !== null }),
        securityContext: restricted,
        startupProbe: startupProbe(program.startCheck),
        ...(program.livenessPath === null
          ? {}
          : { livenessProbe: livenessProbe(program.livenessPath) }),
        ...(preStop === undefined ? {} : { lifecycle: { preStop } }),
        readinessProbe: {
          tcpSocket: { port: 'http' },
          // Before Kubernetes 1.22 a started pod becomes ready only at its next probe.
          periodSeconds: 1,
          timeoutSeconds: probeSeconds,
          failureThreshold: unreadySeconds,
        },
        terminationMessagePolicy: 'FallbackToLogsOnError',
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          ...(data === null ? [] : [{ name: names.data, mountPath: data }]),
          ...(release === null ? [] : [{ ...app, readOnly: true }]),
          ...(program.settings === null ? [] : [settingsFolder]),
        ],
      },
    ],
    volumes: volumesOf(program),
  }
}

/** A volume may be on one node only, so the next pod starts beside the previous one. */
const nearItself = (key: string) => ({
  podAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 100,
        podAffinityTerm: {
          labelSelector: { matchLabels: { [labels.key]: key } },
          topologyKey: 'kubernetes.io/hostname',
        },
      },
    ],
  },
})

/** The pod of a site, and the name of its launch: a pod of another launch replaces it. */
export function podTemplate(
  program: Program,
  ownLabels: Readonly<Record<string, string>>,
  digest: (value: unknown) => string,
) {
  const spec = podSpec(program)
  const launch = digest({ spec, restarts: program.launch.restarts })
  return {
    launch,
    template: { metadata: { labels: { ...ownLabels, [labels.launch]: launch } }, spec },
  }
}

/** The Deployment's specification, which starts the next pod before the previous one ends. */
export const deploymentSpec = (
  template: ReturnType<typeof podTemplate>['template'],
  key: string,
  replicas: 0 | 1,
) => ({
  replicas,
  revisionHistoryLimit: 1,
  minReadySeconds: readySeconds,
  progressDeadlineSeconds: startupSeconds + 180,
  selector: { matchLabels: { [labels.key]: key } },
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  template,
})
