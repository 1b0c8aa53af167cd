// Creates 50 projects at once on a Kubernetes cluster, and visits sites that sleep. The baseline is
// as many bare Deployments of the same image and size, which `kubectl` creates and scales.
import { execFile, execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { loadavg } from 'node:os'
import { promisify } from 'node:util'
import { ApiError } from '@slipway/contract/client'
import { createProject, deleteProject, type Project } from '@slipway/contract/projects'
import { deployImage } from '@slipway/contract/releases'
import { createCluster } from '../apps/server/src/engines/hosting/kubernetes/api/cluster.ts'
import { createConnection } from '../apps/server/src/engines/hosting/kubernetes/api/connection.ts'
import { readKubeconfig } from '../apps/server/src/engines/hosting/kubernetes/api/kubeconfig.ts'
import { kinds } from '../apps/server/src/engines/hosting/kubernetes/api/resources.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { type Account, createAccount } from './harness/account.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import {
  kibibytes,
  megabytes,
  milliseconds,
  print,
  printMeasurements,
  seconds,
  times,
} from './harness/table.ts'

const count = Number(process.env.BENCH_PROJECTS ?? 50)
const rounds = Number(process.env.BENCH_ROUNDS ?? 2)
const wakes = Math.min(10, count)
const budget = 1.2
/** The interval between checks of a site, and so the precision of its time. */
const checkMs = 500
/** The interval of checks while a site wakes or a pod is scaled up. */
const wakeCheckMs = 10
const sleepAfterSeconds = 120
const port = 8080

const { KUBECONFIG: kubeconfig, KUBERNETES_TEST_IMAGE: reference } = process.env
if (kubeconfig === undefined || reference === undefined) {
  print('skipped: KUBECONFIG and KUBERNETES_TEST_IMAGE name no cluster and no image')
  process.exit()
}
const image = reference

const installation = `tb${process.pid.toString(36)}`
const bareNamespace = `${installation}-bare`
const siteSelector = `slipway.internal/installation=${installation}`

// Also after an error: remaining pods would take capacity from the next run.
process.once('exit', () => {
  const remove = ['delete', 'namespace', '--wait=false', '--ignore-not-found']
  execFileSync('kubectl', [...remove, '--selector', siteSelector])
  execFileSync('kubectl', [...remove, bareNamespace])
})

/** Runs kubectl; resolves with its output and the number of its API calls. */
async function kubectl(args: readonly string[], input?: object) {
  const running = promisify(execFile)('kubectl', ['-v=6', ...args], { maxBuffer: 2 ** 26 })
  running.child.stdin?.end(input === undefined ? '' : JSON.stringify(input))
  const { stdout, stderr } = await running
  return {
    stdout: stdout.trim(),
    calls: stderr.match(/ (GET|POST|PUT|PATCH|DELETE) https/g)?.length ?? 0,
  }
}
/** For the benchmark's own calls of the API server: kubectl would start a process for each. */
const cluster = createCluster({
  connection: createConnection(() => readKubeconfig({ file: kubeconfig, context: undefined })),
  closing: new AbortController().signal,
})
type Pod = {
  metadata: { name: string; labels?: Record<string, string>; deletionTimestamp?: string }
  spec: { containers: { resources: object }[] }
  status: { podIP?: string; conditions?: { type: string; status: string }[] }
}
const podsOf = async (selector: string) =>
  (await cluster.list(kinds.Pod, selector)) as unknown as Pod[]

const responds = (
  host: string,
  targetPort: number,
  { headers = {}, timeout = 2_000 }: { headers?: Record<string, string>; timeout?: number } = {},
) =>
  new Promise<boolean>((resolve) => {
    const outgoing = request({ host, port: targetPort, headers, agent: false, timeout })
    outgoing.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('error', () => resolve(false))
    outgoing.end()
  })

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
async function untilTrue(check: () => Promise<boolean>, everyMs: number) {
  while (!(await check())) await pause(everyMs)
}

const { dataDir, remove } = await createDataDir()
const server = await startServer(dataDir, {
  ENGINE: 'kubernetes',
  KUBECONFIG: kubeconfig,
  KUBERNETES_INSTALLATION: installation,
  KUBERNETES_NETWORK_POLICY: 'trusted',
  // So that the sites have room on one node of two cores.
  KUBERNETES_RESERVED_CPU: '2',
  SLEEP_AFTER: String(sleepAfterSeconds),
  PROJECT_LIMIT: '1000',
  ...(process.env.LOG_LEVEL ? { LOG_LEVEL: process.env.LOG_LEVEL } : {}),
})

const visit = (key: string, timeout?: number) =>
  responds('127.0.0.1', server.sitesPort, { headers: { host: `${key}.localhost` }, timeout })

/** Repeats a call while the service is out of capacity, as its clients do. */
async function retryWhileFull<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unavailable') throw error
      await pause(checkMs)
    }
  }
}

/** A project from its creation to the first response of its site. */
async function createSite(account: Account) {
  const startedAt = performance.now()
  const { teamId } = account
  const body = { name: 'Example', teamId, regionId: 'eu', domain: null, runtime: 'image' } as const
  const project = await retryWhileFull(() => account.call(createProject, { body }))
  await retryWhileFull(() =>
    account.call(deployImage, { params: { id: project.id }, body: { reference: image, port } }),
  )
  await untilTrue(() => visit(project.key), checkMs)
  return { project, ms: performance.now() - startedAt }
}

async function removeSites(account: Account, projects: readonly Project[]) {
  await Promise.all(
    projects.map(async (project) => {
      await retryWhileFull(() => account.call(deleteProject, { params: { id: project.id } }))
      const isDeleted = async () => (await account.viewProject(project.key)).state === 'deleted'
      await untilTrue(() => retryWhileFull(isDeleted), 1_000)
    }),
  )
}

const bareSelector = `benchmark=${installation}`
const bareName = (index: number) => `bare-${index}`
const bareDeployment = (index: number, resources: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: bareName(index), namespace: bareNamespace },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: bareName(index) } },
    template: {
      metadata: { labels: { app: bareName(index), benchmark: installation } },
      spec: {
        containers: [
          {
            name: 'site',
            image,
            imagePullPolicy: 'IfNotPresent',
            env: [{ name: 'PORT', value: String(port) }],
            ports: [{ containerPort: port }],
            readinessProbe: { httpGet: { path: '/', port }, periodSeconds: 1 },
            resources,
          },
        ],
      },
    },
  },
})

/** The bare pods that have an address, by the name of their Deployment. */
async function barePods() {
  const pods = await podsOf(bareSelector)
  return pods
    .filter(({ metadata, status }) => status.podIP && !metadata.deletionTimestamp)
    .map(({ metadata, status }) => ({
      name: metadata.labels?.app ?? '',
      address: status.podIP ?? '',
      isReady:
        status.conditions?.some(
          ({ type, status: value }) => type === 'Ready' && value === 'True',
        ) ?? false,
    }))
}

/** Bare Deployments, from `kubectl apply` to the first response of each pod. */
async function createBare(resources: object) {
  await kubectl(['create', 'namespace', bareNamespace])
  const startedAt = performance.now()
  const items = Array.from({ length: count }, (_, index) => bareDeployment(index, resources))
  const { calls } = await kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items })
  const durations = new Map<string, number>()
  while (durations.size < count) {
    const pods = await barePods()
    await Promise.all(
      pods
        .filter(({ name, isReady }) => isReady && !durations.has(name))
        .map(async ({ name, address }) => {
          if (await responds(address, port)) durations.set(name, performance.now() - startedAt)
        }),
    )
    await pause(checkMs)
  }
  return { durations: [...durations.values()], calls }
}

const removeBare = () => kubectl(['delete', 'namespace', bareNamespace, '--wait=true'])

async function wakeSite(key: string) {
  const startedAt = performance.now()
  await untilTrue(() => visit(key, 60_000), wakeCheckMs)
  return performance.now() - startedAt
}

/**
 * The times from `kubectl scale` until kubectl ends, until the pod responds at its address, and
 * until it is ready, as a Service requires.
 */
async function scaleUp(index: number) {
  const name = bareName(index)
  const startedAt = performance.now()
  const since = () => performance.now() - startedAt
  await kubectl(['scale', 'deployment', name, '--replicas=1', '-n', bareNamespace])
  const command = since()
  const find = async () => (await barePods()).find((pod) => pod.name === name)
  const { address } = await until(find)
  await untilTrue(() => responds(address, port), wakeCheckMs)
  const response = since()
  await untilTrue(async () => (await find())?.isReady ?? false, wakeCheckMs)
  return { command, response, ready: since() }
}

const slowest = (all: number[][]) => all.map((each) => Math.max(...each))

const load: number[] = []
const recordLoad = () => load.push(loadavg()[0] ?? 0)

const sites: number[][] = []
const bare: number[][] = []
const calls: number[] = []
const bareCalls: number[] = []
const memory: number[] = []
const waking: number[] = []
const scaling: Awaited<ReturnType<typeof scaleUp>>[] = []
let rss = 0
const { stdout: apiServer } = await kubectl([
  ...['config', 'view', '--minify', '--output=jsonpath={.clusters[0].cluster.server}'],
])
const emptyHeap = (await server.memory()).heapUsed

for (let round = 0; round < rounds; round++) {
  recordLoad()
  // A user may deploy 60 releases an hour.
  const account = await createAccount(server.url)
  await server.requestsTo(apiServer)
  const created = await Promise.all(Array.from({ length: count }, () => createSite(account)))
  calls.push((await server.requestsTo(apiServer)) / count)
  sites.push(created.map(({ ms }) => ms))
  print(`${count} projects respond, the last one after ${seconds(slowest(sites).at(-1) ?? 0)}`)
  const usage = await server.memory()
  memory.push((usage.heapUsed - emptyHeap) / count)
  rss = Math.max(rss, usage.rss)
  const [pod] = await podsOf(siteSelector)
  const resources = pod?.spec.containers[0]?.resources ?? {}
  await untilTrue(async () => (await podsOf(siteSelector)).length === 0, 1_000)
  recordLoad()
  const built = await createBare(resources)
  bare.push(built.durations)
  print(`${count} Deployments respond, the last one after ${seconds(slowest(bare).at(-1) ?? 0)}`)
  bareCalls.push(built.calls / count)
  await kubectl(['scale', 'deployment', '--all', '--replicas=0', '-n', bareNamespace])
  await untilTrue(async () => (await podsOf(bareSelector)).length === 0, 1_000)
  for (let index = 0; index < wakes; index++) {
    const key = created[index]?.project.key ?? ''
    waking.push(await wakeSite(key))
    scaling.push(await scaleUp(index))
  }
  await Promise.all([
    removeBare(),
    removeSites(
      account,
      created.map(({ project }) => project),
    ),
  ])
}
recordLoad()

const ratioOf = (ours: number[], theirs: number[]) => median(ours) / median(theirs)
const ratio = ratioOf(slowest(sites), slowest(bare))
const medianRatio = ratioOf(sites.map(median), bare.map(median))
const responses = scaling.map(({ response }) => response)
const readyTimes = scaling.map(({ ready }) => ready)
const wakeRatio = ratioOf(waking, readyTimes)
const p95 = (all: number[]) => percentile(all, 0.95)
const slowWakeRatio = p95(waking) / p95(readyTimes)
const spread = (all: number[]) =>
  `median ${milliseconds(median(all))}, p95 ${milliseconds(p95(all))}`
print(`load of the machine ${range(load, (value) => value.toFixed(1))}`)
printMeasurements([
  {
    measure: `${count} projects at once, from the request to the last response`,
    value: `${seconds(median(slowest(sites)))} (${range(slowest(sites), seconds)})`,
    budget: `≤ ${budget} x`,
    met: ratio <= budget,
    ratio: `${times(ratio)} bare Deployments`,
  },
  {
    measure: `${count} bare Deployments at once`,
    value: `${seconds(median(slowest(bare)))} (${range(slowest(bare), seconds)})`,
  },
  {
    measure: 'half of the projects, and of the Deployments',
    value: `${seconds(median(sites.map(median)))}, ${seconds(median(bare.map(median)))}`,
    budget: `≤ ${budget} x`,
    met: medianRatio <= budget,
    ratio: times(medianRatio),
  },
  {
    measure: 'calls to the API server for each project, and for each Deployment by kubectl',
    value: `${median(calls).toFixed(1)}, ${median(bareCalls).toFixed(1)}`,
  },
  { measure: 'heap of the service for each project', value: kibibytes(median(memory)) },
  { measure: 'memory of the service (resident)', value: megabytes(rss) },
  {
    measure: `first response of a site that sleeps, ${waking.length} visits`,
    value: spread(waking),
    budget: `≤ ${budget} x`,
    met: wakeRatio <= budget,
    ratio: `${times(wakeRatio)} kubectl scale until ready, p95 ${times(slowWakeRatio)}`,
  },
  { measure: '`kubectl scale` until the pod is ready', value: spread(readyTimes) },
  {
    measure: '`kubectl scale` until the pod responds by its address',
    value: spread(responses),
    ratio: `${times(ratioOf(waking, responses))} to the visit`,
  },
  { measure: '`kubectl scale` alone', value: spread(scaling.map(({ command }) => command)) },
])

await server.stop()
await cluster.close()
await remove()
