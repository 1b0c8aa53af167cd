import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deleteProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer } from './modules/mail/mail.fixture.ts'
import { root } from './root.ts'
import { hostAddress } from './testing/cluster-world.ts'
import { createLiveSite, signUpAt } from './testing/service-journey.ts'
import { sitePage } from './testing/site-page.ts'
import { until } from './testing/until.ts'

const run = promisify(execFile)
/** Such as `podman-compose`, or `docker compose`. */
const { COMPOSE: command } = process.env
if (command === undefined)
  process.stdout.write('deploy/compose.yaml is not started: COMPOSE names no command for it\n')
const longTest = 300_000
const consoleUrl = 'http://127.0.0.1:3000'
/** All but the mail catcher, whose emails the test could not read. */
const services = ['postgresql', 'web', 'worker', 'gateway']

describe.skipIf(command === undefined)('deploy/compose.yaml', () => {
  let mailServer: Awaited<ReturnType<typeof startMailServer>>

  async function compose(...args: string[]) {
    const [program = '', ...options] = command?.split(' ') ?? []
    const file = join(root, 'deploy/compose.yaml')
    const all = [...options, '--project-name', 'slipway-test', '--file', file, ...args]
    const env = {
      ...process.env,
      POSTGRES_PASSWORD: 'example',
      SMTP_URL: `${mailServer.url}?requireTLS=false`,
    }
    await run(program, all, { env })
  }
  const isReady = () =>
    fetch(`${consoleUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )

  beforeAll(async () => {
    if (command === undefined) return
    mailServer = await startMailServer({ host: hostAddress() })
    await compose('up', '--no-build', '--detach', ...services)
  }, longTest)
  afterAll(async () => {
    if (command === undefined) return
    await compose('down', '--volumes')
    await mailServer.close()
  }, longTest)

  it(
    'serves a site from the sign-up on, and keeps it when all containers are made again',
    async () => {
      await until(isReady)
      const { call } = await signUpAt(consoleUrl, mailServer)
      const { id, key, view } = await createLiveSite(call, '<h1>Composed</h1>')
      const page = () =>
        sitePage(8080, `${key}.localhost`).catch((error: Error) => ({ body: error.message }))
      await until(async () => (await page()).body === '<h1>Composed</h1>')

      await compose('down')
      await compose('up', '--no-build', '--detach', ...services)
      await until(isReady)
      expect((await view()).state).toBe('ready')
      await until(async () => (await page()).body === '<h1>Composed</h1>')

      await call(deleteProject, { params: { id } })
      await until(async () => (await view()).state === 'deleted')
    },
    longTest,
  )
})
