import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createProject, listProjects, renameProject } from '@slipway/contract/projects'
import { afterEach, expect, inject, it } from 'vitest'
import { root } from './root.ts'
import { serverProgram } from './testing/built-programs.ts'
import { hasDebianPackage } from './testing/debian-package.ts'
import { freePort } from './testing/free-port.ts'
import { processesOf } from './testing/processes.ts'
import { sitePage } from './testing/site-page.ts'
import { outcomeOf, sendSteadily } from './testing/steady-requests.ts'
import { until } from './testing/until.ts'
import { createWorld, type World } from './testing/world.ts'

const hasHaproxy = await hasDebianPackage('haproxy')

const running = new Set<ChildProcess>()
let world: World | undefined

afterEach(async () => {
  // SIGINT ends the sites, too.
  for (const child of running) await stop(child, 'SIGINT')
  await world?.close()
})

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

function launch(command: string, args: string[], env: Record<string, string>) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  return { child, output }
}

type Launched = ReturnType<typeof launch>

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
  running.delete(child)
  if (!isAlive(child)) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  return (await exit)[0]
}

const isReady = async (port: number) =>
  (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200

/** The addresses of the processes behind HAProxy, and their status by its checks. */
async function startHaproxy() {
  const freeAddress = async () => `127.0.0.1:${await freePort()}`
  const addresses = {
    CONSOLE_BIND: await freeAddress(),
    SITES_BIND: await freeAddress(),
    STATUS_ADDRESS: await freeAddress(),
    WEB_1: await freeAddress(),
    WEB_2: await freeAddress(),
    GATEWAY_1: await freeAddress(),
    GATEWAY_2: await freeAddress(),
  }
  const health = {
    GATEWAY_1_HEALTH_HOST: '127.0.0.1',
    GATEWAY_1_HEALTH_PORT: String(await freePort()),
    GATEWAY_2_HEALTH_HOST: '127.0.0.1',
    GATEWAY_2_HEALTH_PORT: String(await freePort()),
  }
  const env = { ...addresses, ...health, CONSOLE_HOST: addresses.CONSOLE_BIND }
  const proxy = launch('haproxy', ['-db', '-f', join(root, 'deploy/haproxy.cfg')], env)
  return {
    addresses,
    health,
    /** Waits until HAProxy sends requests to this server. */
    isUp: (server: string) =>
      until(async () => {
        if (!isAlive(proxy.child)) throw new Error(proxy.output.text)
        const csv = await fetch(`http://${addresses.STATUS_ADDRESS}/;csv`).catch(() => undefined)
        const row = (await csv?.text())?.split('\n').find((line) => line.split(',')[1] === server)
        return row?.split(',')[17] === 'UP'
      }),
  }
}

const portOf = (address: string) => address.split(':')[1] ?? ''

it.skipIf(!hasHaproxy)(
  'a rolling restart of every role behind HAProxy fails no visit and no call, at 100 a second',
  { timeout: 300_000 },
  async () => {
    world = await createWorld({}, new Date())
    const owner = await world.user()
    const { user, password, host } = inject('postgres')
    const database = new URL(`postgresql://${user}:${password}@localhost`)
    database.pathname = String(world.database.options.database)
    database.searchParams.set('host', host)
    const { addresses, health, isUp } = await startHaproxy()
    const common = {
      DATABASE_URL: database.href,
      DATA_DIR: world.env.DATA_DIR,
      PICTURES_BROWSER: 'off',
      PUBLIC_URL: `http://${addresses.CONSOLE_BIND}`,
      SITES_PORT: portOf(addresses.SITES_BIND),
      RATE_LIMIT: '0',
      SHUTDOWN_DELAY: '3',
    }
    const start = (env: Record<string, string>) =>
      launch(process.execPath, [serverProgram], { ...common, ...env })
    const ready = async ({ child, output }: Launched, port: string) => {
      await until(() => {
        if (!isAlive(child)) throw new Error(output.text)
        return isReady(Number(port))
      })
    }
    const web = (name: 'WEB_1' | 'WEB_2') => start({ ROLE: 'web', PORT: portOf(addresses[name]) })
    const gateway = (name: 'GATEWAY_1' | 'GATEWAY_2') =>
      start({
        ROLE: 'gateway',
        PORT: health[`${name}_HEALTH_PORT`],
        SITES_PORT: portOf(addresses[name]),
      })
    const worker = async () => {
      const port = String(await freePort())
      const launched = start({ ROLE: 'worker', PORT: port })
      await ready(launched, port)
      return launched
    }
    const webs = [web('WEB_1'), web('WEB_2')]
    const gateways = [gateway('GATEWAY_1'), gateway('GATEWAY_2')]
    for (const server of ['web-1', 'web-2', 'gateway-1', 'gateway-2']) await isUp(server)
    const firstWorker = await worker()

    const project = await owner.call(createProject, {
      body: { name: 'First name', teamId: owner.teamId, regionId: 'eu', domain: null },
    })
    const state = async () => (await owner.call(listProjects))[0]?.state
    await until(async () => (await state()) === 'ready')
    const siteHost = `${project.key}.localhost`
    const sites = () => processesOf(`${world?.env.DATA_DIR}/sites`)
    const before = await sites()

    const authorization = `Bearer ${owner.token}`
    const endCalls = sendSteadily(20, () =>
      outcomeOf(addresses.CONSOLE_BIND, '/api/management/project/all', { authorization }),
    )
    const endVisits = sendSteadily(20, () =>
      outcomeOf(addresses.SITES_BIND, '/', { host: siteHost }),
    )
    const restart = async (old: Launched | undefined, relaunch: () => Launched, server: string) => {
      expect(old && (await stop(old.child, 'SIGTERM'))).toBe(0)
      relaunch()
      await isUp(server)
    }
    for (const number of [1, 2] as const)
      await Promise.all([
        restart(webs[number - 1], () => web(`WEB_${number}`), `web-${number}`),
        restart(gateways[number - 1], () => gateway(`GATEWAY_${number}`), `gateway-${number}`),
      ])
    // The new worker is ready while it waits for the end of the old one.
    const secondWorker = await worker()
    expect(secondWorker.output.text).toContain('waiting for its end')
    expect(await stop(firstWorker.child, 'SIGTERM')).toBe(0)
    const outcomes = [...(await endCalls()), ...(await endVisits())]

    expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual([])
    expect(outcomes.length).toBeGreaterThan(100)
    expect(await sites()).toEqual(before)
    await owner.call(renameProject, { params: { id: project.id }, body: { name: 'Second name' } })
    const port = Number(portOf(addresses.SITES_BIND))
    await until(async () => (await sitePage(port, siteHost)).body.includes('Second name'))
    expect(await sites()).toEqual(before)
  },
)
