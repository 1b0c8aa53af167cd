import type { Page } from '@playwright/test'
import { type ProjectDetail, viewProject } from '@slipway/contract/projects'
import { listRuntimes, type RuntimeCapability } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'
import type { Translate } from '../harness/texts.ts'
import type { ExampleImages } from './example-images.ts'
import { dialog, type Picture, pageAt } from './picture.ts'

/** The runtimes on Kubernetes: the local engine runs no images. */
const runtimes: RuntimeCapability[] = (
  ['starter', 'static', 'node', 'php', 'wordpress', 'image'] as const
).map((id) => ({ id, available: true, reason: null, version: null }))

async function chooseImage(page: Page, t: Translate) {
  await page.route(`**/api${listRuntimes.path}*`, (route) => route.fulfill({ json: runtimes }))
  await page.goto('/projects/create', { waitUntil: 'networkidle' })
  await page.getByRole('radio', { name: t(m.runtime_image) }).check({ force: true })
}

/** The page of a project while it is moved to another server. */
const moving = (name: string, path: string, isPaused: boolean): Picture => ({
  name,
  show: async (page, t) => {
    await page.route(`**/api${viewProject.path.replace(':key', '*')}`, async (route) => {
      const response = await route.fetch()
      const project: ProjectDetail = await response.json()
      await route.fulfill({ response, json: { ...project, move: { isPaused } } })
    })
    await pageAt(name, path).show(page, t)
  },
})

/** For a user whose projects run container images. */
export const imagePictures = ({ live, empty, team }: ExampleImages): Picture[] => [
  { name: 'image-create', show: chooseImage },
  pageAt('image-live', live),
  pageAt('image-without-release', empty),
  pageAt('image-releases', `${live}/releases`),
  pageAt('image-releases-empty', `${empty}/releases`),
  dialog('image-deploy', `${live}/releases`, (t) => t(m.release_image_deploy)),
  {
    name: 'image-deploy-errors',
    inWindow: true,
    show: async (page, t) => {
      await dialog('', `${empty}/releases`, () => t(m.release_image_deploy)).show(page, t)
      const form = page.getByRole('dialog')
      await form
        .getByRole('textbox', { name: t(m.release_image_reference), exact: true })
        .fill('ghcr.io/acme/tide-tables:1.2')
      await form.getByRole('button', { name: t(m.release_image_deploy) }).click()
      await form.getByText(t(m.form_image_digest)).waitFor()
    },
  },
  pageAt('registries', team),
  dialog('registry-add', team, (t) => t(m.teams_registry_add)),
  dialog('registry-delete', team, (t) => t(m.teams_registry_delete_named, { host: 'ghcr.io' })),
  moving('site-moving', live, false),
  moving('site-moving-paused', live, true),
]
