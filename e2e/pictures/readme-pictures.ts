import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import { createClient } from '@slipway/contract/client'
import { listProjects, type Project } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { ada, password } from '../../apps/server/src/demo/demo.people.ts'
import { openLook } from './looks.ts'

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url))

/** The project of the demo whose site looks best. */
const projectName = 'Harbour Cafe'

/** Waits for the pictures of all sites: the service takes them after its start, one at a time. */
async function findProject(list: () => Promise<Project[]>) {
  for (let seconds = 0; seconds < 300; seconds++) {
    const ready = (await list()).filter(({ state }) => state === 'ready')
    if (ready.every(({ picture }) => picture !== null))
      return ready.find(({ name }) => name === projectName)
    await sleep(1000)
  }
  throw new Error('not every site of the demo has a picture after five minutes')
}

/** Takes the pictures of the README from the demo at a URL: some screens, light and dark. */
export async function takeForReadme(browser: Browser, url: string) {
  const call = createClient({ base: `${url}/api`, token: () => null, locale: () => 'en' })
  const { token } = await call(login, { body: { email: ada.email, password } })
  const callAsAda = createClient({ base: `${url}/api`, token: () => token, locale: () => 'en' })
  const project = await findProject(() => callAsAda(listProjects))
  const paths = {
    console: '/projects',
    billing: '/account/billing/overview',
    project: `/projects/view/${project?.key}`,
  }
  for (const mode of ['light', 'dark'] as const) {
    const page = await openLook(browser, url, { locale: 'en', mode, device: 'desktop' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate((value) => localStorage.setItem('token', value), token)
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: /: connected/ }).waitFor()
      await page.screenshot({ path: `${images}${name}-${mode}.png` })
    }
    await page.context().close()
  }
}
