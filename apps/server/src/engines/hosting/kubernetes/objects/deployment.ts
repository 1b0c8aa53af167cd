import type { ContainerImage } from '@slipway/contract/container-images'
import type { Instance } from '../../engine.ts'
import { labels, names } from './names.ts'
import { containerResources, type Size } from './size.ts'

export type PodSettings = {
  size: Size
  /** A runtime of the cluster with stronger walls, such as gVisor's. */
  runtimeClassName: string | undefined
  /** True to run pods in user namespaces of their own, where the cluster can. */
  userNamespaces: boolean
  imagePullPolicy: 'IfNotPresent' | 'Never' | 'Always'
}

/** What of an instance needs another pod when it changes, besides its image. */
export type LaunchParts = Pick<Instance, 'key' | 'restarts'> & { environmentDigest: string }

/** How long a pod may take to accept requests before it is started again, in seconds. */
const startupSeconds = 120
const probeSeconds = 2

/** Gateways learn the new address within this time, before the pod before it ends. */
const readySeconds = 2

/** What runs: the same gives the same launch. */
export type Program = { image: ContainerImage; settings: PodSettings; launch: LaunchParts }

/** The specification of a site's pod: the restricted profile, in the pod itself. */
function podSpec({ image, settings, launch: { key } }: Program) {
  const { size, runtimeClassName, userNamespaces, imagePullPolicy } = settings
  const request = { httpGet: { path: image.healthPath, port: 'http' } }
  const data = image.dataPath
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    hostname: key.slice(0, 63),
    terminationGracePeriodSeconds: 30,
    ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
    ...(userNamespaces ? { hostUsers: false } : {}),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: image.userId,
      runAsGroup: image.userId,
      fsGroup: image.userId,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(data === null ? {} : { affinity: nearItself(key) }),
    containers: [
      {
        name: names.site,
        image: image.reference,
        imagePullPolicy,
        env: [{ name: 'PORT', value: String(image.port) }],
        envFrom: [{ secretRef: { name: names.environment } }],
        ports: [{ name: 'http', containerPort: image.port, protocol: 'TCP' }],
        resources: containerResources(size),
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          privileged: false,
          readOnlyRootFilesystem: true,
        },
        startupProbe: {
          ...request,
          periodSeconds: 1,
          timeoutSeconds: probeSeconds,
          failureThreshold: startupSeconds,
        },
        readinessProbe: {
          tcpSocket: { port: 'http' },
          periodSeconds: 5,
          timeoutSeconds: probeSeconds,
          failureThreshold: 2,
        },
        terminationMessagePolicy: 'FallbackToLogsOnError',
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          ...(data === null ? [] : [{ name: names.data, mountPath: data }]),
        ],
      },
    ],
    volumes: [
      { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
      ...(data === null
        ? []
        : [{ name: names.data, persistentVolumeClaim: { claimName: names.data } }]),
    ],
  }
}

/** A volume may be on one node only, so the next pod starts beside the one before it. */
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

/** The pod of a site, and what its launch is named: another one replaces the pod. */
export function podTemplate(
  program: Program,
  own: Readonly<Record<string, string>>,
  digest: (value: unknown) => string,
) {
  const spec = podSpec(program)
  const launch = digest({
    spec,
    restarts: program.launch.restarts,
    of: program.launch.environmentDigest,
  })
  return { launch, template: { metadata: { labels: { ...own, [labels.launch]: launch } }, spec } }
}

/** The Deployment's specification, which starts the next pod before the one before it ends. */
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
