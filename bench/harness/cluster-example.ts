/** Values shared by the benchmark of many sites and its simulated cluster. */
import type { ContainerImage } from '@slipway/contract/container-images'

export const installation = 'bench'

export const exampleKey = (index: number) => `example-${index}`

export const exampleImage: ContainerImage = {
  reference: `registry.example/site@sha256:${'0'.repeat(64)}`,
  port: 8080,
  healthPath: '/',
  userId: 1000,
  dataPath: null,
}

/** The defaults, with this installation's name. */
export const clusterSettings = {
  installation,
  pods: {
    runtimeClassName: undefined,
    userNamespaces: false,
    imagePullPolicy: 'IfNotPresent' as const,
  },
  network: { gateways: [], closed: [], service: [], servicePorts: [] },
  storageClass: undefined,
  edge: undefined,
}
