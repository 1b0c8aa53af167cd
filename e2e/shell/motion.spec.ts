import type { Page } from '@playwright/test'
import { getCaptchaChallenge } from '@slipway/contract/captcha'
import {
  createProject,
  listProjects,
  type ProjectDetail,
  projectSteps,
  viewProject,
} from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import {
  addCard,
  cardName,
  cardNumbers,
  menuButton,
  overviewPath,
} from '../harness/billing-screens.ts'
import { insertOwnProject, openDeleteDialog, selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

/** Records every animation that starts in the page, however short. */
const recordAnimations = `
  globalThis.moved = []
  for (const type of ['animationstart', 'transitionrun'])
    addEventListener(type, ({ animationName, propertyName, target }) => {
      moved.push([type, animationName ?? propertyName, target.outerHTML?.slice(0, 100)].join(' '))
    }, true)
  const { animate } = Element.prototype
  Element.prototype.animate = function (...args) {
    moved.push('animate ' + this.outerHTML.slice(0, 100))
    return animate.apply(this, args)
  }
  for (const owner of [Element.prototype, globalThis])
    for (const name of ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView']) {
      const original = owner[name]
      if (original) owner[name] = function (...args) {
        if (args[0]?.behavior === 'smooth') moved.push(name)
        return original.apply(this, args)
      }
    }
`

/** The animations since the last call and those that run two frames later. */
const readAnimations = (page: Page) =>
  page.evaluate<string[]>(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([
      ...moved.splice(0),
      ...document.getAnimations().map((each) => 'animation of ' + each.effect.target.outerHTML.slice(0, 100)),
      ...[...document.querySelectorAll('*')]
        .filter((element) => getComputedStyle(element).scrollBehavior === 'smooth')
        .map((element) => 'smooth scrolling of ' + element.tagName),
    ])))
  })`)

/** The project in the second step of its creation. */
function creating(project: ProjectDetail): ProjectDetail {
  const startedAt = new Date().toISOString()
  const times = { startedAt: startedAt, finishedAt: null, failure: null }
  const states = ['done', 'running', 'waiting', 'waiting'] as const
  return {
    ...project,
    state: 'creating',
    failure: null,
    progress: {
      attempt: 1,
      asOf: startedAt,
      steps: projectSteps.map((step, index) => ({
        step,
        state: states[index] ?? 'waiting',
        ...times,
      })),
    },
  }
}

type ActionContext = { page: Page; t: Translate; project: ProjectDetail }

/** Actions that may animate. Each leaves no overlay open, or returns a function that ends it. */
const actions: Record<
  string,
  (context: ActionContext) => Promise<undefined | (() => Promise<void>)>
> = {
  async 'a list that loads'({ page }) {
    await page.route(`**/api${listProjects.path}`, () => undefined)
    await page.goto('/projects')
    await expect(page.locator('.animate-shimmer').first()).toBeVisible()
    return () => page.unroute(`**/api${listProjects.path}`)
  },
  async 'a link that is pointed at'({ page, t }) {
    await page.goto('/projects')
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: t(m.shell_teams) })
      .hover()
  },
  async 'a menu'({ page, t }) {
    await page.getByRole('button', { name: t(m.shell_color_mode) }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  },
  async 'the palette'({ page, t }) {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: t(m.palette_title) })
    await expect(field).toBeFocused()
    for (let times = 0; times < 12; times++) await page.keyboard.press('ArrowDown')
    await field.fill('no such thing')
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
  },
  async 'the sheet of shortcuts'({ page }) {
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
  async 'a toast'({ page, t }) {
    await page.goto('/account/profile')
    await page.getByRole('button', { name: t(m.account_delete) }).click()
    const toasts = page.getByRole('region', { name: t(m.shell_notifications) })
    await expect(toasts).toContainText(t(m.account_not_implemented))
    await toasts.getByRole('button').click()
    await expect(toasts).toHaveText('')
  },
  async 'a confirmation'({ page, t, project }) {
    await page.goto(`/projects/view/${project.key}`)
    const dialog = await openDeleteDialog(page, t)
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  },
  async 'a form over the page'({ page, t }) {
    await page.goto(overviewPath)
    await menuButton(page, t, cardName(t, m.cards_visa, cardNumbers.visa)).click()
    await page.getByRole('menuitem', { name: t(m.cards_edit) }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
  async 'a running creation'({ page, t, project }) {
    const pattern = `**/api${viewProject.path.replace(':key', '*')}`
    await page.route(pattern, (route) => route.fulfill({ json: creating(project) }))
    await page.goto(`/projects/view/${project.key}`)
    await expect(page.getByRole('list', { name: t(m.projects_step_list) })).toBeVisible()
    return () => page.unroute(pattern)
  },
  async 'an action that takes long'({ page, t }) {
    await page.route(`**/api${createProject.path}`, () => undefined)
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
    await selectRegion(page)
    await page.getByRole('button', { name: t(m.projects_create) }).click()
    await expect(page.getByText(t(m.shell_working), { exact: true })).toBeAttached()
  },
  async 'a captcha that is solved'({ page, t }) {
    await page.evaluate("localStorage.removeItem('token')")
    await page.route(`**/api${getCaptchaChallenge.path}`, () => undefined)
    await page.goto('/auth/sign-up')
    await page.getByRole('checkbox', { name: t(m.captcha_label) }).click()
    // A click before the bundle has loaded makes the checkbox busy without a spinner.
    await expect(page.locator('.animate-turn')).toBeVisible()
  },
}

for (const reducedMotion of ['reduce', 'no-preference'] as const)
  test.describe(`with prefers-reduced-motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } })

    const title =
      reducedMotion === 'reduce' ? 'no action moves anything' : 'each action moves something'
    test(title, async ({ page, t, newUser, database }) => {
      const user = await newUser()
      const { key } = await insertOwnProject(database, user)
      const project = await user.call(viewProject, { params: { key } })
      await addCard(user)
      await addCard(user, cardNumbers.troy)
      await page.addInitScript(recordAnimations)
      await storeSession(page, user)
      await page.goto('/favicon.svg')
      const motionless: string[] = []
      for (const [name, perform] of Object.entries(actions)) {
        await readAnimations(page)
        const end = await perform({ page, t, project })
        const motion = await readAnimations(page)
        await end?.()
        if (reducedMotion === 'reduce') expect.soft(motion, name).toEqual([])
        else if (motion.length === 0) motionless.push(name)
      }
      expect(motionless).toEqual([])
    })
  })
