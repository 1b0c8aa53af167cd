import { describe, expect, it } from 'vitest'
import type { Instance } from '../../engine.ts'
import type { KubeObject } from '../api/resources.ts'
import type { PodProgram } from '../runtimes/pod-program.ts'
import { annotations, labels, namespaceOf } from './names.ts'
import { type ObjectSettings, projectObjects } from './project-objects.ts'
import { defaultSize } from './size.ts'

const settings: ObjectSettings = {
  installation: 'slipway',
  pods: {
    size: defaultSize,
    runtimeClassName: undefined,
    userNamespaces: false,
    imagePullPolicy: 'IfNotPresent',
  },
  network: { gateways: [], closed: [], service: [], servicePorts: [] },
  storageClass: undefined,
  edge: undefined,
}
const program: PodProgram = {
  image: `registry.example/shop@sha256:${'1'.repeat(64)}`,
  needsCredentials: true,
  env: {},
  port: 8080,
  userId: 1000,
  startCheck: { path: '/health' },
  livenessPath: null,
  drainCommand: null,
  dataPath: null,
  release: null,
  settings: null,
}
const release = {
  artifact: '2'.repeat(64),
  fetchImage: 'registry.example/node@sha256:0',
  needsPackages: false,
}
const archive = { url: 'https://console.example/archive', digest: '3'.repeat(64), until: 1 }
const packages = { url: 'https://console.example/packages', digest: '5'.repeat(64), until: 1 }
const files = { archive, packages: null }
const instance: Instance = {
  key: 'shop-abc234',
  name: 'Shop',
  regionId: 'eu',
  cluster: 'default',
  runtime: 'image',
  artifact: '2'.repeat(64),
  image: null,
  registry: null,
  environment: { COLOR: 'blue', PORT: '1' },
  hosts: ['shop-abc234.localhost'],
  power: 'running',
  restarts: 0,
  signIn: { issuer: 'http://localhost', clientId: 'shop', clientSecret: 'a secret' },
}

/** The objects by kind. `as never`: each test reads the parts that it is about. */
const build = (
  changes: Partial<Instance> = {},
  programChanges: Partial<PodProgram> = {},
  overrides: Partial<ObjectSettings> = {},
) => {
  const made = projectObjects(
    { ...instance, ...changes },
    { ...program, ...programChanges },
    programChanges.release ? files : null,
    1,
    { ...settings, ...overrides },
  )
  const find = (kind: string) => made.objects.find((object) => object.kind === kind) as never
  const deployment = find('Deployment') as {
    spec: {
      template: { spec: { containers: Record<string, unknown>[] } & Record<string, unknown> }
    }
  }
  const pod = deployment.spec.template.spec
  return { ...made, find, deployment, pod, container: pod.containers[0] ?? {} }
}

const intents = (objects: readonly KubeObject[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.annotations?.[annotations.intent]}`)

describe('the objects of a project', () => {
  it('are eight at most, all with the labels of the project', () => {
    const { namespace, objects } = build({}, { dataPath: '/data' })
    expect([namespace, ...objects].map(({ kind }) => kind)).toEqual([
      'Namespace',
      'ResourceQuota',
      'LimitRange',
      'NetworkPolicy',
      'Secret',
      'Secret',
      'PersistentVolumeClaim',
      'Deployment',
    ])
    for (const { metadata } of [namespace, ...objects])
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/managed-by': 'slipway',
        [labels.installation]: 'slipway',
        [labels.key]: 'shop-abc234',
      })
  })

  const registry = { host: 'ghcr.io', username: 'acme', password: 'a:b' }
  const pullSecret = (changes: Partial<Instance> = {}) => {
    const { objects } = build(changes)
    const secret = objects.find(({ metadata: { name } }) => name === 'registry') as unknown as {
      type: string
      data: Record<string, string>
    }
    const config = Buffer.from(secret.data['.dockerconfigjson'] ?? '', 'base64').toString()
    return { type: secret.type, config: JSON.parse(config) as object }
  }

  it('have a Secret with the credentials of the registry of a container image', () => {
    expect(pullSecret({ registry })).toEqual({
      type: 'kubernetes.io/dockerconfigjson',
      config: {
        auths: {
          'ghcr.io': {
            username: 'acme',
            password: 'a:b',
            auth: Buffer.from('acme:a:b').toString('base64'),
          },
        },
      },
    })
    expect(pullSecret({ registry: { ...registry, host: 'docker.io' } }).config).toMatchObject({
      auths: { 'https://index.docker.io/v1/': { username: 'acme' } },
    })
    expect(pullSecret().config).toEqual({ auths: {} })
    expect(build({}, { needsCredentials: false }).pod).not.toHaveProperty('imagePullSecrets')
  })

  it('accept new credentials without another launch', () => {
    const before = build()
    const after = build({ registry })
    expect(after.pod).toMatchObject({ imagePullSecrets: [{ name: 'registry' }] })
    expect(after.launch).toBe(before.launch)
    expect(intents(after.objects)).not.toEqual(intents(before.objects))
  })

  it('have no volume for a program without data', () => {
    expect(build().find('PersistentVolumeClaim')).toBeUndefined()
    expect(build().pod).not.toHaveProperty('affinity')
  })

  it('restart a program of the service that hangs, and none of customers', () => {
    expect(build().container).not.toHaveProperty('livenessProbe')
    expect(build({}, { livenessPath: '/healthz' }).container).toMatchObject({
      livenessProbe: { httpGet: { path: '/healthz' }, periodSeconds: 10, failureThreshold: 3 },
    })
  })

  it('run the pod with the restricted profile', () => {
    const { pod, container } = build()
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    })
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        privileged: false,
        readOnlyRootFilesystem: true,
      },
    })
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers', 'runtimeClassName'])
      expect(pod).not.toHaveProperty(field)
  })

  it('use stronger isolation where the operator has it', () => {
    const pods = { ...settings.pods, runtimeClassName: 'gvisor', userNamespaces: true }
    expect(build({}, {}, { pods }).pod).toMatchObject({
      hostUsers: false,
      runtimeClassName: 'gvisor',
    })
  })

  it('reserve the share of the processor that the operator sets', () => {
    const size = { ...settings.pods.size, reservedCpuMillis: 20 }
    const { container } = build({}, {}, { pods: { ...settings.pods, size } })
    expect(container).toMatchObject({
      resources: { requests: { cpu: '20m' }, limits: { cpu: '1000m' } },
    })
  })

  it('limit memory, processor, temporary files and disk by the size', () => {
    const { container, find } = build({}, { dataPath: '/data' })
    expect(container).toMatchObject({
      resources: {
        requests: { cpu: '100m', memory: '256Mi' },
        limits: { cpu: '1000m', memory: '512Mi', 'ephemeral-storage': '256Mi' },
      },
    })
    expect(find('ResourceQuota')).toMatchObject({
      spec: { hard: { pods: '4', 'limits.memory': '1792Mi', services: '0' } },
    })
    expect(find('LimitRange')).toMatchObject({
      spec: {
        limits: [
          {
            type: 'Container',
            default: { cpu: '1000m', memory: '512Mi', 'ephemeral-storage': '256Mi' },
            defaultRequest: { cpu: '100m', memory: '256Mi', 'ephemeral-storage': '16Mi' },
          },
        ],
      },
    })
    expect(find('PersistentVolumeClaim')).toMatchObject({
      spec: { resources: { requests: { storage: '1024Mi' } } },
    })
  })

  it('have temporary files in memory, which a visitor cannot fill until the pod is evicted', () => {
    expect(build().pod['volumes']).toContainEqual({
      name: 'tmp',
      emptyDir: { medium: 'Memory', sizeLimit: '64Mi' },
    })
  })

  it('have a startup probe for the health of the program, and a readiness probe for its port', () => {
    const { container } = build()
    expect(container).toMatchObject({
      startupProbe: {
        httpGet: { path: '/health', port: 'http' },
        periodSeconds: 1,
        failureThreshold: 120,
      },
      readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 1, failureThreshold: 10 },
    })
    const startCheck = { command: ['node', 'check.mjs'], seconds: 3 }
    expect(build({}, { startCheck }).container).toMatchObject({
      startupProbe: { exec: { command: startCheck.command }, timeoutSeconds: 3 },
    })
  })

  it('have the variables in a Secret, without the port, which is the service’s', () => {
    const { find, container } = build()
    expect(find('Secret')).toMatchObject({
      data: { COLOR: Buffer.from('blue').toString('base64') },
    })
    expect((find('Secret') as { data: object }).data).not.toHaveProperty('PORT')
    expect(container).toMatchObject({ env: [{ name: 'PORT', value: '8080' }] })
  })

  it('let gateways in, and let out requests to name servers and the internet alone', () => {
    const network = {
      gateways: ['10.9.0.0/24'],
      closed: ['203.0.113.5/32', '2001:db8::/32'],
      service: [],
      servicePorts: [],
    }
    const { find } = build({}, {}, { network })
    const { spec } = find('NetworkPolicy') as {
      spec: { ingress: object[]; egress: { to: { ipBlock?: { except: string[] } }[] }[] }
    }
    expect(spec.ingress).toEqual([{ from: [{ ipBlock: { cidr: '10.9.0.0/24' } }] }])
    const blocks = spec.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
    expect(blocks).toHaveLength(2)
    expect(blocks[0]?.except).toEqual(
      expect.arrayContaining([
        '10.0.0.0/8',
        '172.16.0.0/12',
        '192.168.0.0/16',
        '169.254.0.0/16',
        '203.0.113.5/32',
      ]),
    )
    expect(blocks[1]?.except).toEqual(['2001:db8::/32'])
  })

  it('let pods of the gateways’ namespaces in if no networks are set', () => {
    expect(build().find('NetworkPolicy')).toMatchObject({
      spec: {
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { 'slipway.internal/gateways': 'true' } } }],
          },
        ],
      },
    })
  })

  it('reach the name servers of the cluster by DNS, and the web servers at their port', () => {
    const egress = (network: ObjectSettings['network']) =>
      (
        build({}, {}, { network }).find('NetworkPolicy') as { spec: { egress: object[] } }
      ).spec.egress.slice(0, 2)
    const names = {
      to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
      ports: [
        { protocol: 'UDP', port: 53 },
        { protocol: 'TCP', port: 53 },
      ],
    }
    expect(egress(settings.network)).toEqual([
      names,
      {
        to: [
          {
            namespaceSelector: { matchLabels: { 'slipway.internal/gateways': 'true' } },
            podSelector: { matchLabels: { 'app.kubernetes.io/component': 'web' } },
          },
        ],
        ports: [{ protocol: 'TCP', port: 3000 }],
      },
    ])
    const service = ['10.0.0.5/32', 'fd00::5/128']
    expect(egress({ ...settings.network, service, servicePorts: [8080, 443] })).toEqual([
      names,
      {
        to: [{ ipBlock: { cidr: '10.0.0.5/32' } }, { ipBlock: { cidr: 'fd00::5/128' } }],
        ports: [
          { protocol: 'TCP', port: 8080 },
          { protocol: 'TCP', port: 443 },
        ],
      },
    ])
  })

  it('fetch the files of a release before the program starts, which cannot change them', () => {
    const { pod, container, objects } = build({}, { release })
    expect(pod).toMatchObject({
      initContainers: [
        {
          name: 'fetch-release',
          image: release.fetchImage,
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        },
      ],
    })
    const mounts = container.volumeMounts as { name: string; readOnly?: boolean }[]
    expect(mounts.find(({ name }) => name === 'app')).toMatchObject({ readOnly: true })
    expect(mounts.map(({ name }) => name)).not.toContain('release')
    const secret = objects.find(({ metadata }) => metadata.name === `release-${'2'.repeat(16)}`)
    const { 'release.json': file = '' } = (secret as { data?: Record<string, string> }).data ?? {}
    const { url, digest } = archive
    expect(JSON.parse(Buffer.from(file, 'base64').toString())).toEqual({ url, digest })
  })

  it('name the packages that were installed for a release beside its files', () => {
    const withPackages = { ...release, needsPackages: true }
    const { objects } = projectObjects(
      instance,
      { ...program, release: withPackages },
      { archive, packages },
      1,
      settings,
    )
    const secret = objects.find(({ metadata }) => metadata.name === `release-${'2'.repeat(16)}`)
    const { 'release.json': file = '' } = (secret as { data?: Record<string, string> }).data ?? {}
    expect(JSON.parse(Buffer.from(file, 'base64').toString())).toMatchObject({
      url: archive.url,
      packages: { url: packages.url, digest: packages.digest },
    })
  })

  it('have the same launch with another address of the same release, and other settings', () => {
    const later = { ...archive, url: 'https://console.example/later', until: 2 }
    const withRelease = { ...program, release, settings: '{"name":"Shop"}' }
    const first = projectObjects(instance, withRelease, files, 1, settings)
    const renamed = { ...withRelease, settings: '{"name":"Other"}' }
    const laterFiles = { archive: later, packages }
    const afterRename = projectObjects(instance, renamed, laterFiles, 1, settings)
    expect(afterRename.launch).toBe(first.launch)
    expect(intents(afterRename.objects)).not.toEqual(intents(first.objects))
  })

  it('are the same for the same instance, whatever the order of its variables', () => {
    const sorted = build({ environment: { A: '1', B: '2' } })
    const unsorted = build({ environment: { B: '2', A: '1' } })
    expect(intents(sorted.objects)).toEqual(intents(unsorted.objects))
  })

  it.each<[string, Partial<Instance>, Partial<PodProgram>]>([
    ['image', {}, { image: `registry.example/shop@sha256:${'9'.repeat(64)}` }],
    ['port', {}, { port: 3000 }],
    ['variable', { environment: { COLOR: 'red' } }, {}],
    ['restart', { restarts: 1 }, {}],
    ['release', {}, { release: { ...release, artifact: '4'.repeat(64) } }],
  ])('have another launch after a change of the %s', (_part, changes, programChanges) => {
    expect(build(changes, programChanges).launch).not.toBe(build().launch)
  })

  it('have a preStop hook with the drain command of the program, if it has one', () => {
    const drainCommand = ['/bin/sh', '/slipway/drain.sh']
    expect(build({}, { drainCommand }).container).toMatchObject({
      lifecycle: { preStop: { exec: { command: drainCommand } } },
    })
    expect(build().container).not.toHaveProperty('lifecycle')
  })

  it('have a preStop sleep where the cluster supports it', () => {
    const pods = { ...settings.pods, preStopSleep: true }
    const { objects } = projectObjects(instance, program, null, 1, { ...settings, pods })
    expect(JSON.stringify(objects)).toContain('"preStop":{"sleep":{"seconds":5}}')
  })

  it('have the same launch after a change of name, hosts and sleep', () => {
    const renamed = build({ name: 'Other', hosts: ['a.example'] })
    expect(renamed.launch).toBe(build().launch)
    const asleep = projectObjects(instance, program, null, 0, settings)
    expect(asleep.launch).toBe(build().launch)
  })

  it('never have the client secret or a variable in a label or an annotation', () => {
    const { objects, namespace } = build({ environment: { TOKEN: 'swordfish' } })
    const metadata = JSON.stringify([namespace, ...objects].map((object) => object.metadata))
    expect(metadata).not.toContain('swordfish')
    expect(metadata).not.toContain('a secret')
  })
})

describe('the namespace of a project', () => {
  it('has the installation and the key in its name', () => {
    expect(namespaceOf('slipway', 'shop-abc234')).toBe('slipway-shop-abc234')
  })

  it('has at most 63 characters, and differs for each key', () => {
    const key = (suffix: string) => `${'a'.repeat(56)}-${suffix}`
    const one = namespaceOf('slipway', key('bcd234'))
    expect(one).toMatch(/^slipway-a+-[0-9a-f]{10}$/)
    expect(one).toHaveLength(63)
    expect(namespaceOf('slipway', key('bcd235'))).not.toBe(one)
  })
})
