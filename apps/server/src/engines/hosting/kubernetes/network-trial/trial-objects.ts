import { type KubeObject, kinds, objectOf } from '../api/resources.ts'
import { isolation, restricted } from '../objects/deployment.ts'
import { labels, names, namespaceOf, ownLabels } from '../objects/names.ts'
import { networkPolicy } from '../objects/network-policy.ts'
import { type ObjectSettings, restrictedNamespace } from '../objects/project-objects.ts'
import { containerResources } from '../objects/size.ts'
import { runtimeUser } from '../runtimes/cluster-runtime.ts'

/** The pod that stands for a site, and one beside it that no policy restricts. */
export type TrialPod = 'site' | 'neighbor'

const size = { memoryMiB: 128, cpuMillis: 500, reservedCpuMillis: 50, diskMiB: 0 }

export const trialLabels = (installation: string, trialId: string): Record<string, string> => ({
  ...ownLabels(installation),
  [labels.trial]: trialId,
})

/** The objects of a network trial: two namespaces with a pod each, and the policy of sites. */
export function trialObjects(settings: ObjectSettings, image: string, trialId: string) {
  const { installation, pods, network } = settings
  const objectLabels = trialLabels(installation, trialId)
  const namespace = (pod: TrialPod) => namespaceOf(installation, `trial-${trialId}-${pod}`)

  return {
    namespaceOf: (pod: TrialPod): KubeObject => restrictedNamespace(namespace(pod), objectLabels),

    /** `target`: the address to connect to; by default the first pod that connects to this one. */
    deploymentOf: (pod: TrialPod, target?: string): KubeObject => ({
      ...objectOf(kinds.Deployment, {
        name: names.site,
        namespace: namespace(pod),
        labels: objectLabels,
      }),
      spec: {
        replicas: 1,
        selector: { matchLabels: { [labels.trial]: trialId } },
        template: {
          metadata: { labels: objectLabels },
          spec: {
            ...isolation(pods, runtimeUser),
            terminationGracePeriodSeconds: 1,
            containers: [
              {
                name: names.site,
                image,
                imagePullPolicy: pods.imagePullPolicy,
                command: ['node', '/slipway/network-trial.mjs'],
                env: target === undefined ? [] : [{ name: 'TARGET', value: target }],
                resources: containerResources(size),
                securityContext: restricted,
                terminationMessagePolicy: 'FallbackToLogsOnError',
              },
            ],
          },
        },
      },
    }),

    policy: {
      ...objectOf(kinds.NetworkPolicy, {
        name: names.policy,
        namespace: namespace('site'),
        labels: objectLabels,
      }),
      spec: networkPolicy(network),
    } as KubeObject,
  }
}
