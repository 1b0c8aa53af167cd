import { type KubeObject, kinds, objectOf } from '../api/resources.ts'
import { isolation, restricted } from '../objects/deployment.ts'
import { labels, names, namespaceOf, ownLabels } from '../objects/names.ts'
import type { ObjectSettings } from '../objects/project-objects.ts'
import { copyResources, databaseCopySize } from '../objects/size.ts'

/**
 * The pod's command: `send-snapshot` sends the files of a site that may run, and `receive` replaces
 * the files of the volume.
 */
export type ContentCommand = 'send' | 'send-snapshot' | 'receive'

export type ContentTransfer = {
  command: ContentCommand
  /** The user to whom the files belong. */
  userId: number
  /** The program's input: the archive's URL and, for `receive`, its SHA-256. */
  transfer: { url: string; digest?: string }
  program: string
  /** True to start the pod on the node of the site's pod. */
  isBesideSite: boolean
}

/** Where the Secret with the program and its input is mounted. */
const folder = '/transfer'
const data = '/data'

/** Labels of a transfer pod. Without the label `key`, it gets no requests for the site. */
export const contentLabels = (installation: string, key: string): Record<string, string> => ({
  ...ownLabels(installation),
  [labels.content]: key,
})

/** A volume may be on one node only. Pods that install packages have no launch, and no volume. */
const besideSite = (key: string) => ({
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        labelSelector: {
          matchLabels: { [labels.key]: key },
          matchExpressions: [{ key: labels.launch, operator: 'Exists' }],
        },
        topologyKey: 'kubernetes.io/hostname',
      },
    ],
  },
})

/** A pod that mounts a project's volume, and the Secret with its program and transfer settings. */
export function contentObjects(
  { installation, pods }: ObjectSettings,
  key: string,
  image: string,
  { command, userId, transfer, program, isBesideSite }: ContentTransfer,
): { secret: KubeObject; deployment: KubeObject } {
  const objectLabels = contentLabels(installation, key)
  const metadata = {
    name: names.content,
    namespace: namespaceOf(installation, key),
    labels: objectLabels,
  }
  const hasDatabases = command === 'send-snapshot'
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  return {
    secret: {
      ...objectOf(kinds.Secret, metadata),
      type: 'Opaque',
      data: {
        'transfer.json': encoded(JSON.stringify(transfer)),
        'content.mjs': encoded(program),
      },
    } as KubeObject,
    deployment: {
      ...objectOf(kinds.Deployment, metadata),
      spec: {
        replicas: 1,
        selector: { matchLabels: { [labels.content]: key } },
        strategy: { type: 'Recreate' },
        template: {
          metadata: { labels: objectLabels },
          spec: {
            ...isolation(pods, userId),
            terminationGracePeriodSeconds: 1,
            ...(isBesideSite ? { affinity: besideSite(key) } : {}),
            containers: [
              {
                name: names.site,
                image,
                imagePullPolicy: pods.imagePullPolicy,
                command: [
                  'node',
                  `${folder}/content.mjs`,
                  command,
                  data,
                  `${folder}/transfer.json`,
                ],
                resources: copyResources(hasDatabases),
                securityContext: restricted,
                readinessProbe: {
                  exec: { command: ['/bin/sh', '-c', 'test -e /tmp/done'] },
                  periodSeconds: 1,
                },
                terminationMessagePolicy: 'FallbackToLogsOnError',
                volumeMounts: [
                  { name: 'tmp', mountPath: '/tmp' },
                  { name: names.data, mountPath: data },
                  { name: 'transfer', mountPath: folder, readOnly: true },
                ],
              },
            ],
            volumes: [
              {
                name: 'tmp',
                emptyDir: { sizeLimit: hasDatabases ? databaseCopySize : '16Mi' },
              },
              { name: names.data, persistentVolumeClaim: { claimName: names.data } },
              { name: 'transfer', secret: { secretName: names.content } },
            ],
          },
        },
      },
    },
  }
}
