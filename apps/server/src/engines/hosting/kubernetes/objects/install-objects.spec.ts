import { describe, expect, it } from 'vitest'
import { defaultInstallLimits, installPod, installSecret } from './install-objects.ts'
import { labels } from './names.ts'
import type { ObjectSettings } from './project-objects.ts'
import { defaultSize, installResources, quota } from './size.ts'

const size = { ...defaultSize, memoryMiB: 512, cpuMillis: 1000 }
const settings: ObjectSettings = {
  installation: 'slipway',
  pods: {
    size,
    runtimeClassName: 'gvisor',
    userNamespaces: true,
    imagePullPolicy: 'IfNotPresent',
  },
  network: { gateways: [], closed: [], service: [], servicePorts: [] },
  storageClass: undefined,
  edge: undefined,
}
const parts = {
  key: 'shop-abc234',
  artifact: '2'.repeat(64),
  image: 'registry.example/node@sha256:0',
  archive: { url: 'https://console.example/archive', digest: '3'.repeat(64), until: 1 },
  uploadUrl: 'https://console.example/packages',
  sent: 'node_modules',
  limits: defaultInstallLimits,
} as const

type Pod = {
  metadata: { name: string; labels: Record<string, string> }
  spec: { containers: Record<string, unknown>[] } & Record<string, unknown>
}
const pod = (changes: Partial<typeof parts> = {}) =>
  installPod(settings, { ...parts, ...changes }) as unknown as Pod

describe('the pod that installs packages', () => {
  it('is as restricted as the site, and has a time limit', () => {
    const { spec } = pod()
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      runtimeClassName: 'gvisor',
      hostUsers: false,
      restartPolicy: 'Never',
      activeDeadlineSeconds: 420,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(spec.containers[0]).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      },
    })
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC'])
      expect(spec).not.toHaveProperty(field)
  })

  it('fits beside the running site', () => {
    const { limits } = installResources(size)
    expect(pod().spec.containers[0]).toMatchObject({ resources: { limits } })
    const { 'limits.memory': memory, 'limits.cpu': cpu } = quota(size).hard
    const sumOf = (quantity: string, addition: number) => Number.parseInt(quantity, 10) + addition
    expect(sumOf(limits.memory, size.memoryMiB)).toBeLessThanOrEqual(sumOf(memory, 0))
    expect(sumOf(limits.cpu, size.cpuMillis)).toBeLessThanOrEqual(sumOf(cpu, 0))
  })

  it('is a pod of the project that gets no requests', () => {
    const { labels: podLabels } = pod().metadata
    expect(podLabels).toMatchObject({
      [labels.key]: 'shop-abc234',
      [labels.install]: '2'.repeat(16),
    })
    expect(podLabels).not.toHaveProperty(labels.launch)
  })

  it('has the same name for the same release and image', () => {
    const { name } = pod().metadata
    expect(pod({ ...parts }).metadata.name).toBe(name)
    expect(installPod(settings, { ...parts, image: 'other' }).metadata.name).not.toBe(name)
    expect(name.length).toBeLessThanOrEqual(63)
  })

  it('has its addresses in a Secret that is deleted with it', () => {
    const secret = installSecret(settings, parts, 'u-1') as unknown as {
      metadata: { labels: object; ownerReferences: object[] }
      data: Record<string, string>
    }
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: 'Pod', uid: 'u-1' }])
    // `apply` deletes objects with this label that it did not write.
    expect(secret.metadata.labels).not.toHaveProperty(labels.key)
    const file = (name: string) =>
      JSON.parse(Buffer.from(secret.data[name] ?? '', 'base64').toString())
    expect(file('release.json')).toEqual({ url: parts.archive.url, digest: parts.archive.digest })
    expect(file('install.json')).toEqual({
      url: parts.uploadUrl,
      sent: 'node_modules',
      limits: defaultInstallLimits,
    })
    expect(JSON.stringify(pod())).not.toContain(parts.uploadUrl)
  })
})
