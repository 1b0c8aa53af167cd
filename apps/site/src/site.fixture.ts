import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

export type SiteResponse = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

export type SiteFolder = { settings: string; data: string; socket: string }

export const createSiteFolder = async (name: string): Promise<SiteFolder> => {
  const folder = await mkdtemp('/tmp/hosting-site-')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = {
    settings: join(folder, 'site.json'),
    data: join(folder, 'data'),
    socket: join(folder, 's'),
  }
  await mkdir(files.data)
  await writeFile(files.settings, JSON.stringify({ key: 'example', name }))
  return files
}

export type RunningSite = {
  process: ChildProcess
  log: string[]
  request(
    path: string,
    options?: { method?: string; headers?: Record<string, string> },
  ): Promise<SiteResponse>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

/** Runs the real site on these files; stopped after the test. */
export const spawnSite = (files: SiteFolder): ChildProcess => {
  const { settings, data, socket } = files
  const options = ['--settings', settings, '--data', data, '--socket', socket]
  const site = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void site.kill('SIGKILL'))
  return site
}

export const startSite = async (files: SiteFolder): Promise<RunningSite> => {
  const site = spawnSite(files)
  const log: string[] = []
  if (!site.stdout) throw new Error('The site has no standard output')
  const lines = createInterface(site.stdout)
  lines.on('line', (line) => log.push(line))
  while (!log.some((line) => line.includes('The site listens'))) await once(lines, 'line')

  return {
    process: site,
    log,
    request: (path, { method = 'GET', headers = {} } = {}) =>
      new Promise((resolve, reject) => {
        const outgoing = sendRequest({
          socketPath: files.socket,
          path,
          method,
          headers,
          agent: false,
        })
        outgoing.on('error', reject)
        outgoing.on('response', async (incoming) => {
          const chunks: Buffer[] = await incoming.toArray()
          const body = Buffer.concat(chunks).toString('utf8')
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body })
        })
        outgoing.end()
      }),
    async stop() {
      const ended = once(site, 'exit')
      site.kill('SIGTERM')
      const [code] = await ended
      return code
    },
  }
}
