import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { projectLabels } from './engines/hosting/kubernetes/objects/names.ts'
import { gatewayLabels, webLabels } from './engines/hosting/kubernetes/objects/network-policy.ts'
import { variables } from './env/env.ts'
import { root } from './root.ts'
import { createDataFolder } from './testing/data-folder.ts'

const deploy = join(root, 'deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')
const managedBy = 'app.kubernetes.io/managed-by'
const settings = Object.keys(variables.shape)

type Container = {
  name: string
  image: string
  env?: { name: string }[]
  resources?: { requests?: object; limits?: { memory?: string } }
  securityContext?: object
  startupProbe?: object
  readinessProbe?: object
}
type PodSpec = {
  containers: Container[]
  automountServiceAccountToken?: boolean
  enableServiceLinks?: boolean
  terminationGracePeriodSeconds?: number
  securityContext?: object
}
type Manifest = {
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  data?: Record<string, string>
  spec?: {
    template?: { metadata?: { labels?: Record<string, string> }; spec?: PodSpec }
    egress?: object[]
  }
}

const folders = readdirSync(join(deploy, 'kubernetes'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('kustomization.yaml'))
  .map((path) => join('kubernetes', path, '..'))
const manifests = folders.flatMap((folder) =>
  readdirSync(join(deploy, folder))
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) =>
      parseAllDocuments(read(join(folder, file))).map((document) => document.toJS() as Manifest),
    ),
)
const pods = manifests.flatMap(({ kind, metadata, spec }) =>
  spec?.template?.spec ? [{ name: `${kind} ${metadata.name}`, spec: spec.template.spec }] : [],
)
const isOurs = ({ image }: Container) => image === 'slipway'

describe('deploy/kubernetes', () => {
  it.each(folders)('%s lists each of its files', (folder) => {
    const { resources = [], patchesStrategicMerge = [] } = parse(
      read(join(folder, 'kustomization.yaml')),
    ) as { resources?: string[]; patchesStrategicMerge?: string[] }
    const files = readdirSync(join(deploy, folder)).filter((file) => file !== 'kustomization.yaml')
    expect([...resources, ...patchesStrategicMerge].sort()).toEqual(files.sort())
  })

  it('names no setting that the server does not read', () => {
    const inMaps = manifests.flatMap(({ kind, data = {} }) =>
      kind === 'ConfigMap' ? Object.keys(data) : [],
    )
    const inPods = pods.flatMap(({ spec }) =>
      spec.containers.filter(isOurs).flatMap(({ env = [] }) => env.map(({ name }) => name)),
    )
    expect(inMaps.length).toBeGreaterThan(0)
    expect(inPods.length).toBeGreaterThan(0)
    expect([...inMaps, ...inPods].filter((name) => !settings.includes(name))).toEqual([])
  })

  it.each(pods)('$name meets the restricted profile of pod security', ({ spec }) => {
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    for (const container of spec.containers)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
  })

  it.each(pods)('$name has limits, and no variables of other services', ({ spec }) => {
    expect(spec.enableServiceLinks).toBe(false)
    for (const { resources } of spec.containers) {
      expect(resources?.requests).toEqual({
        cpu: expect.any(String),
        memory: expect.any(String),
      })
      expect(resources?.limits?.memory).toBeDefined()
    }
  })

  it('gives servers the time that their shutdown may take, and probes', () => {
    const servers = manifests.filter(({ kind }) => kind === 'Deployment')
    expect(servers.map(({ metadata }) => metadata.name).sort()).toEqual([
      'slipway-gateway',
      'slipway-web',
      'slipway-worker',
    ])
    const delays = manifests.flatMap(({ data }) => Number(data?.SHUTDOWN_DELAY ?? 5))
    const longestDelay = Math.max(...delays)
    for (const { spec } of servers) {
      const pod = spec?.template?.spec
      // Decision 38: 45 seconds and SHUTDOWN_DELAY.
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(45 + longestDelay)
      expect(pod?.containers[0]).toMatchObject({
        startupProbe: expect.any(Object),
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: expect.any(Object),
      })
    }
  })

  it.each([
    ['one-node/postgresql.yaml', /max_connections=(\d+)/, 1],
    ['components/cloud-native-pg/cluster.yaml', /max_connections: "(\d+)"/, 10],
  ])('%s accepts the connections of all servers during an update', (file, setting, replicas) => {
    const [, accepted] = setting.exec(read(join('kubernetes', file))) ?? []
    const maxReplicas = [
      ...read('kubernetes/autoscaling/autoscalers.yaml').matchAll(/maxReplicas: (.*)/g),
    ]
    expect(maxReplicas.map(([, count]) => count)).toEqual(['10', '10'])
    // docs/scaling.md: 25 for each web server and gateway, of which one more each may start.
    expect(Number(accepted)).toBeGreaterThan(2 * (replicas + 1) * 25 + 32)
  })

  it('has the labels by which the policies of sites let gateways and web servers through', () => {
    const find = (kind: string, name: string) =>
      manifests.find((each) => each.kind === kind && each.metadata.name === name)
    expect(find('Namespace', 'slipway')?.metadata.labels).toMatchObject(gatewayLabels)
    const { template } = find('Deployment', 'slipway-web')?.spec ?? {}
    expect(template?.metadata?.labels).toMatchObject(webLabels)
    const site = projectLabels('slipway', 'shop')
    expect(find('NetworkPolicy', 'gateway')?.spec?.egress).toContainEqual({
      to: [
        {
          namespaceSelector: {
            matchLabels: { [managedBy]: site[managedBy] },
          },
        },
      ],
    })
  })

  it('gives only the workers an account of the cluster', () => {
    const withAccount = pods.filter(({ spec }) => spec.automountServiceAccountToken !== false)
    expect(withAccount.map(({ name }) => name)).toEqual(['Deployment slipway-worker'])
  })
})

describe('deploy/compose.yaml', () => {
  type Service = {
    image: string
    environment?: Record<string, string>
    depends_on?: Record<string, { condition: string }>
    read_only?: boolean
    volumes?: string[]
  }
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, null>
  }
  const ours = Object.entries(services).filter(([, { image }]) => image === 'slipway')

  it('starts each role, once PostgreSQL accepts connections', () => {
    expect(ours.map(([name, { environment }]) => [name, environment?.ROLE])).toEqual([
      ['web', 'web'],
      ['worker', 'worker'],
      ['gateway', 'gateway'],
    ])
    for (const [, { depends_on: needed, read_only: isReadOnly }] of ours) {
      expect(needed?.postgresql?.condition).toBe('service_healthy')
      expect(isReadOnly).toBe(true)
    }
  })

  it('names no setting that the server does not read', () => {
    const names = ours.flatMap(([, { environment = {} }]) => Object.keys(environment))
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !settings.includes(name))).toEqual([])
  })

  it('declares each volume that a service mounts', () => {
    const mounted = Object.values(services).flatMap(({ volumes: all = [] }) =>
      all.map((volume) => volume.split(':')[0]),
    )
    expect([...new Set(mounted)].sort()).toEqual(Object.keys(volumes).sort())
  })
})

describe('deploy/Containerfile', () => {
  it('sets only settings that the server reads', () => {
    const [, line = ''] = /^ENV (.+)$/m.exec(read('Containerfile')) ?? []
    const names = line.split(' ').map((setting) => setting.split('=')[0] ?? '')
    expect(names).toContain('DATA_DIR')
    expect(names.filter((name) => !settings.includes(name))).toEqual([])
  })
})

describe('deploy/runtimes/node/Containerfile', () => {
  it('copies every file that the build of the starter site needs', async () => {
    // Runs the first stage without a container engine: its COPY lines into a folder, then its RUN.
    const [, stage = ''] = read('runtimes/node/Containerfile').split(/^FROM /m)
    const source = await createDataFolder()
    for (const [, paths = ''] of stage.matchAll(/^COPY (?!--)(.+)$/gm)) {
      const names = paths.split(' ')
      const target = names.pop() ?? ''
      for (const name of names) {
        const path = target.endsWith('/') ? join(target, name.split('/').pop() ?? '') : target
        cpSync(join(root, name), join(source, path), { recursive: true })
      }
    }
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
    const [, workspace = ''] = /^RUN npm run build --workspace (\S+)$/m.exec(stage) ?? []
    const site = join(source, workspace)
    rmSync(join(site, 'dist'), { recursive: true })
    const { scripts } = JSON.parse(readFileSync(join(site, 'package.json'), 'utf8'))
    const env = { PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
    execFileSync('sh', ['-c', scripts.build], { cwd: site, env, stdio: 'pipe' })
    expect(existsSync(join(site, 'dist/main.js'))).toBe(true)
  })
})
