import { npmSettings } from '../../local/runtimes/node/npm-settings.ts'
import { type KubeObject, kinds, objectOf } from '../api/resources.ts'
import { runtimeUser } from '../runtimes/cluster-runtime.ts'
import { app, fetchContainer, isolation, restricted } from './deployment.ts'
import { digestOf } from './digest.ts'
import { labels, names, namespaceOf, ownLabels, projectLabels } from './names.ts'
import { base64, type ObjectSettings, releaseFile } from './project-objects.ts'
import { installResources, releaseSize } from './size.ts'

export type InstallLimits = {
  /** How long npm may take. */
  seconds: number
  /** The size of the app with its packages. */
  bytes: number
  entries: number
}

/** The same limits as in the local engine. */
export const defaultInstallLimits: InstallLimits = {
  seconds: 300,
  bytes: 1_000_000_000,
  entries: 200_000,
}

/** Time for the rest of the pod's work: fetching the release and uploading the result. */
const otherSeconds = 120

export type InstallParts = {
  key: string
  artifact: string
  /** The image built from `deploy/runtimes/node`. */
  image: string
  archive: { url: string; digest: string; until: number }
  /** The signed URL to which the pod uploads the packages. */
  uploadUrl: string
  /** The part that the pod uploads: only the packages, or the whole app. */
  sent: 'node_modules' | '.'
  limits: InstallLimits
}

/** Depends only on release and image, so that a restarted worker finds its pod. */
export const installName = ({ artifact, image }: Pick<InstallParts, 'artifact' | 'image'>) =>
  `install-${artifact.slice(0, 16)}-${digestOf(image).slice(0, 8)}`

const scratch = '/build'

/** The pod that installs the packages of a release once, as restricted as the site's. */
export function installPod(settings: ObjectSettings, parts: InstallParts): KubeObject {
  const { installation, pods } = settings
  const { key, artifact, image, limits } = parts
  const name = installName(parts)
  return {
    ...objectOf(kinds.Pod, {
      name,
      namespace: namespaceOf(installation, key),
      labels: {
        ...projectLabels(installation, key),
        [labels.install]: artifact.slice(0, 16),
      },
    }),
    spec: {
      ...isolation(pods, runtimeUser),
      restartPolicy: 'Never',
      activeDeadlineSeconds: limits.seconds + otherSeconds,
      terminationGracePeriodSeconds: 1,
      initContainers: [fetchContainer(image, pods)],
      containers: [
        {
          name: names.install,
          image,
          imagePullPolicy: pods.imagePullPolicy,
          command: [
            'node',
            '/slipway/install-packages.mjs',
            ...['/release/install.json', '/dev/termination-log'],
          ],
          workingDir: app.mountPath,
          env: Object.entries({
            ...npmSettings,
            HOME: scratch,
            TMPDIR: scratch,
            npm_config_cache: `${scratch}/cache`,
          }).map(([variable, value]) => ({ name: variable, value })),
          resources: installResources(pods.size),
          securityContext: restricted,
          // Reports come from the file only: output of npm must never be read as a report.
          terminationMessagePolicy: 'File',
          volumeMounts: [
            { name: 'tmp', mountPath: '/tmp' },
            { name: 'build', mountPath: scratch },
            app,
            { name: 'release', mountPath: '/release', readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
        { name: 'build', emptyDir: { sizeLimit: releaseSize } },
        { name: 'app', emptyDir: { sizeLimit: releaseSize } },
        { name: 'release', secret: { secretName: name } },
      ],
    },
  }
}

/**
 * The Secret with the URLs for a package installation. It lacks the project's label because the pod
 * owns it: the cluster deletes both together.
 */
export function installSecret(
  { installation }: ObjectSettings,
  parts: InstallParts,
  podUid: string,
): KubeObject {
  const { key, archive, uploadUrl: url, sent, limits } = parts
  const name = installName(parts)
  const secret = {
    ...objectOf(kinds.Secret, {
      name,
      namespace: namespaceOf(installation, key),
      labels: ownLabels(installation),
      ownerReferences: [
        { apiVersion: kinds.Pod.apiVersion, kind: kinds.Pod.kind, name, uid: podUid },
      ],
    }),
    type: 'Opaque',
    data: base64({
      'release.json': releaseFile({ archive, packages: null }),
      'install.json': JSON.stringify({ url, sent, limits }),
    }),
  }
  return secret
}
