import type { Locator, Page } from '@playwright/test'
import {
  createProject,
  type ProjectFailure,
  type ProjectState,
  type ProjectStep,
} from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import * as creation from '../../apps/server/src/modules/projects/creation/creation.service.ts'
import { publishChange } from '../../apps/server/src/modules/projects/projects.service.ts'
import * as store from '../../apps/server/src/modules/projects/projects.store.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { connectTo } from '../harness/database.ts'
import { testedLocales } from '../harness/locales.ts'
import { selectRegion } from '../harness/project-screens.ts'
import { createServer, type Server } from '../harness/server.ts'
import { heading } from '../harness/shell-screens.ts'
import { test as base, expect } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { createUser, ownTeam } from '../harness/user.ts'

/** A server without a worker: the test takes the worker's steps itself. */
const test = base.extend<{ server: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the used fixtures from the pattern
  server: async ({}, use, testInfo) => {
    const logFile = testInfo.outputPath('server.log')
    const server = await createServer({ logFile, env: { ROLE: 'web' } })
    try {
      await server.start()
      await use(server)
    } finally {
      await server.remove()
    }
  },
  // The page closes before its server, or it would log the lost connection.
  page: async ({ page, server: _ }, use) => {
    await use(page)
    await page.close()
  },
})

const clock = { now: () => new Date() }

type Advance = { state?: ProjectState; step?: ProjectStep; failure?: ProjectFailure }

/** Creates a project of a new user, and returns a function that advances it. */
async function startProject(server: Server, name: string) {
  const user = await createUser(server.url)
  const { id: teamId } = await ownTeam(user)
  const body = { name, teamId, regionId: 'eu', domain: null }
  const { id, key } = await user.call(createProject, { body })
  const database = connectTo(server.dataDir)

  /** Sets a state or a step as a worker does, with its event in the same transaction. */
  const advance = ({ state, step, failure }: Advance) =>
    database.db.transaction(async (tx) => {
      const reconciled = await store.findForReconciler(tx, id)
      if (reconciled && state)
        await store.updateIfUnchanged(tx, reconciled, { state, failure: failure ?? null })
      if (step) await creation.startStep(tx, id, step, clock.now())
      else await creation.endAttempt({ clock }, tx, id, failure ?? null)
      await publishChange(tx, id)
    })

  return { user, url: `${server.url}/projects/view/${key}`, advance, close: () => database.close() }
}

const stepsOf = (page: Page, t: Translate) =>
  page.getByRole('list', { name: t(m.projects_step_list) }).getByRole('listitem')

/** The state of each step, as a screen reader hears it. */
const expectSteps = (steps: Locator, t: Translate, states: (() => string)[]) =>
  expect(steps).toContainText(states.map((state) => t(state)))

const [waiting, running] = [m.projects_step_is_waiting, m.projects_step_is_running]
const [done, failed] = [m.projects_step_is_done, m.projects_step_is_failed]

for (const locale of testedLocales)
  test.describe(`the progress of a creation, in ${locale}`, () => {
    test.use({ locale })

    test('shows each step, where and why it failed, and collapses when it is done', async ({
      page,
      t,
      server,
    }) => {
      const { user, url, advance, close } = await startProject(server, 'Old Mill')
      await storeSession(page, user)
      await page.goto(url)
      await expect(heading(page, 'Old Mill')).toBeVisible()
      const steps = stepsOf(page, t)
      await expectSteps(steps, t, [running, waiting, waiting, waiting])
      await expect(page.getByRole('region', { name: t(m.projects_step_title) })).toContainText(
        t(m.projects_hint_creating),
      )
      await expect(page.getByText(t(m.projects_hint_creating))).toHaveCount(1)
      await expectAccessible(page)

      await advance({ state: 'creating', step: 'prepare' })
      await expectSteps(steps, t, [done, running, waiting, waiting])
      const step = t(m.projects_step_queued)
      const announcement = t(m.projects_step_announcement, { step, state: t(done) })
      await expect(page.getByRole('status').getByText(announcement)).toBeAttached()
      await advance({ step: 'start' })
      await expectSteps(steps, t, [done, done, running, waiting])
      // The page counts the seconds of the running step.
      const durationText = await steps.nth(2).textContent()
      await expect(steps.nth(2)).not.toHaveText(durationText ?? '')

      await advance({ state: 'failed_creating', failure: 'site_not_answering' })
      await expectSteps(steps, t, [done, done, failed, waiting])
      const alert = page.getByRole('alert')
      await expect(alert).toContainText(t(m.projects_failure_site_not_answering))
      await expect(alert).toContainText(
        t(m.projects_step_failed_in, { step: t(m.projects_step_start) }),
      )
      await expect(alert).toContainText(t(m.projects_step_what_to_do))
      await expectAccessible(page)

      await page.getByRole('button', { name: t(m.projects_retry) }).click()
      await expect(page.getByText(t(m.projects_step_attempt, { number: '2' }))).toBeVisible()
      await expectSteps(steps, t, [running, waiting, waiting, waiting])
      await expect(alert).toBeHidden()

      await advance({ state: 'creating', step: 'answer' })
      await expectSteps(steps, t, [done, done, done, running])
      await advance({ state: 'ready' })
      await expect(steps).toHaveCount(0)
      // The duration depends on the machine.
      const created = t(m.projects_created_in, { duration: '…' })
      const line = page.getByText(new RegExp(created.replace('…', '.+')))
      await expect(line).toBeVisible()
      await line.click()
      await expectSteps(steps, t, [done, done, done, done])
      await expectAccessible(page)
      await close()
    })
  })

base('each step of a real creation shows its duration', async ({ page, t, newUser }) => {
  await storeSession(page, await newUser())
  await page.goto('/projects/create')
  await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
  await selectRegion(page)
  await page.getByRole('button', { name: t(m.projects_create) }).click()
  await page.getByText(/^Created in \d/).click()
  const steps = stepsOf(page, t)
  await expectSteps(steps, t, [done, done, done, done])
  for (const step of await steps.all()) await expect(step).toHaveText(/\d sec$/)
})
