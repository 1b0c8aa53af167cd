import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { root } from './root.ts'

type Selector = Record<string, string>
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Selector }
  spec?: {
    selector?: Selector & { matchLabels?: Selector }
    ports?: { name: string; targetPort: string }[]
    endpoints?: { port: string }[]
    podSelector?: { matchLabels?: Selector }
    scaleTargetRef?: { kind: string; name: string }
    template?: {
      metadata: { labels: Selector }
      spec: { containers: { ports?: { name: string }[] }[] }
    }
  }
}

const manifests = join(root, 'deploy/kubernetes')
const components = readdirSync(join(manifests, 'components'))
/** Components exist in kubectl since 1.21. */
const hasKubectl = spawnSync('kubectl', ['kustomize', join(manifests, 'base')]).status === 0
const clusterWide = ['Namespace', 'ClusterRole', 'ClusterRoleBinding']

function render(folder: string): Manifest[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

const matches = (selector: Selector = {}, found: Selector = {}) =>
  Object.entries(selector).every(([name, value]) => found[name] === value)

describe.skipIf(!hasKubectl)('deploy/kubernetes, rendered by kubectl', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-overlays-'))
    cpSync(manifests, folder, { recursive: true })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** The overlay for many nodes with these components, as an operator adds them. */
  function renderWith(...names: string[]) {
    const overlay = join(folder, `with-${names.join('-')}`)
    mkdirSync(overlay)
    const lines = [
      'apiVersion: kustomize.config.k8s.io/v1beta1',
      'kind: Kustomization',
      `resources: [../many-nodes]`,
      `components: [${names.map((name) => `../components/${name}`).join(', ')}]`,
    ]
    writeFileSync(join(overlay, 'kustomization.yaml'), lines.join('\n'))
    return render(overlay)
  }
  const find = (all: Manifest[], kind: string, name: string) =>
    all.find((each) => each.kind === kind && each.metadata.name === name)

  it('has every component', () => {
    expect(components).toEqual(['cloud-native-pg', 'edge', 'service-monitor'])
  })

  it.each(components)('adds the component %s to the overlay, in its namespace', (component) => {
    const plain = render(join(folder, 'many-nodes'))
    const all = renderWith(component)
    expect(all.length).toBeGreaterThan(plain.length)
    for (const { kind, metadata } of all)
      expect([kind, metadata.namespace]).toEqual([
        kind,
        clusterWide.includes(kind) ? undefined : 'slipway',
      ])
  })

  it('accepts all components at once', () => {
    const kinds = renderWith(...components).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['Cluster', 'ServiceMonitor', 'ClusterRole']))
  })

  it('service-monitor reads the metrics of each role, by ports and labels that exist', () => {
    const all = renderWith('service-monitor', 'edge')
    const service = find(all, 'Service', 'slipway-metrics')
    const monitor = find(all, 'ServiceMonitor', 'slipway')
    const policy = find(all, 'NetworkPolicy', 'metrics')
    expect(monitor?.apiVersion).toBe('monitoring.coreos.com/v1')
    expect(matches(monitor?.spec?.selector?.matchLabels, service?.metadata.labels)).toBe(true)
    const [endpoint] = monitor?.spec?.endpoints ?? []
    const port = service?.spec?.ports?.find(({ name }) => name === endpoint?.port)
    const deployments = all.filter(({ kind }) => kind === 'Deployment')
    expect(deployments).toHaveLength(3)
    for (const { spec } of deployments) {
      const { metadata, spec: pod } = spec?.template ?? expect.unreachable()
      expect(matches(service?.spec?.selector, metadata.labels)).toBe(true)
      expect(matches(policy?.spec?.podSelector?.matchLabels, metadata.labels)).toBe(true)
      const ports = pod.containers.flatMap((container) => container.ports ?? [])
      expect(ports.map(({ name }) => name)).toContain(port?.targetPort)
    }
  })

  it('cloud-native-pg makes the database whose Secret the documentation names', () => {
    const all = renderWith('cloud-native-pg', 'service-monitor')
    const cluster = find(all, 'Cluster', 'slipway-postgresql')
    expect(cluster?.apiVersion).toBe('postgresql.cnpg.io/v1')
    expect(find(all, 'NetworkPolicy', 'postgresql')?.spec?.podSelector?.matchLabels).toEqual({
      'cnpg.io/cluster': cluster?.metadata.name,
    })
  })

  it.each([
    ['autoscaling', 'autoscaling/v2', 'policy/v1'],
    ['autoscaling-before-1.23', 'autoscaling/v2beta2', 'policy/v1beta1'],
  ])(
    '%s scales and protects the Deployments of web servers and gateways',
    (name, scaler, budget) => {
      const all = render(join(folder, name))
      const versions = all.map(({ apiVersion, kind }) => `${kind} of ${apiVersion}`)
      expect(versions.sort()).toEqual([
        ...Array(2).fill(`HorizontalPodAutoscaler of ${scaler}`),
        ...Array(2).fill(`PodDisruptionBudget of ${budget}`),
      ])
      const base = render(join(folder, 'base'))
      for (const { metadata, spec } of all) {
        const deployment = find(base, 'Deployment', metadata.name)
        if (spec?.scaleTargetRef)
          expect(spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: metadata.name })
        else expect(spec?.selector).toEqual(deployment?.spec?.selector)
        expect(deployment).toBeDefined()
      }
    },
  )

  it('is the same before Kubernetes 1.23, but for the versions of its APIs', () => {
    const withoutVersion = ({ apiVersion: _, ...rest }: Manifest) => rest
    const [newer, older] = ['autoscaling', 'autoscaling-before-1.23'].map((name) =>
      render(join(folder, name)).map(withoutVersion),
    )
    expect(older).toEqual(newer)
  })
})
