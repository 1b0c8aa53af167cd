import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  createLayout,
  sitesOnDisk,
} from '../../../apps/server/src/engines/hosting/local/files/layout.ts'
import { processesOf } from '../../../apps/server/src/testing/processes.ts'
import { sitePage } from '../../../apps/server/src/testing/site-page.ts'
import type { Product } from '../product/product.ts'
import { violationsOf } from './violation.ts'

/** The processes of each starter site, by its key. Linux only: reads `/proc`. */
async function siteProcesses(dataDir: string) {
  const processes = new Map<string, number[]>()
  for (const pid of await processesOf(dataDir)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const [, key] = /\/sites\/([^/\0]+)\/site\.json\0--data/.exec(command) ?? []
    if (key !== undefined) processes.set(key, [...(processes.get(key) ?? []), pid])
  }
  return processes
}

/** Compares projects with the running sites, the files on disk and the pages of a visitor. */
export async function checkSites({ dataDir, database: { pool }, sitesPort }: Product) {
  const { rows } = await pool.query<{ key: string; runtime: string; power: string }>(
    "select key, runtime, power from projects where state = 'ready'",
  )
  const ready = rows.map(({ key }) => key)
  // The gateway serves the files of a static site.
  const running = rows
    .filter(({ runtime, power }) => runtime !== 'static' && power === 'running')
    .map(({ key }) => key)
  const layout = createLayout(dataDir)
  const processes = await siteProcesses(dataDir)
  const onDisk = await sitesOnDisk(layout)
  const sockets = existsSync(layout.sockets) ? await readdir(layout.sockets) : []
  const socketOf = (key: string) => basename(layout.site(key).socketFolder)
  const expectedSockets = new Set([...ready.map(socketOf), basename(layout.wakeSocket)])

  const mismatches = [
    ...[...processes.keys()]
      .filter((key) => !running.includes(key))
      .map((key) => `the site of ${key} runs without a project that needs it`),
    ...onDisk
      .filter((key) => !ready.includes(key))
      .map((key) => `the folder of ${key} has no project`),
    ...sockets
      .filter((name) => !expectedSockets.has(name))
      .map((name) => `the socket ${name} has no project`),
    ...ready.filter((key) => !onDisk.includes(key)).map((key) => `project ${key} has no folder`),
    ...running.filter((key) => !processes.has(key)).map((key) => `project ${key} has no process`),
  ]
  for (const { key, power } of rows) {
    const page = await sitePage(sitesPort, `${key}.localhost`).catch(() => undefined)
    const expectedStatus = power === 'running' ? 200 : 503
    if (page?.status !== expectedStatus)
      mismatches.push(`the site of ${key} responds ${page?.status}`)
  }
  const duplicates = [...processes]
    .filter(([, pids]) => pids.length > 1)
    .map(([key, pids]) => `the site of ${key} runs ${pids.length} times: ${pids.join(', ')}`)
  return {
    violations: [
      ...violationsOf('sites that differ from their projects', mismatches),
      ...violationsOf('sites twice', duplicates),
    ],
    sites: ready.length,
  }
}
