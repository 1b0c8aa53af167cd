import type { UserId } from '@slipway/contract/account'
import { hour } from '@slipway/contract/limits'
import { createProject, type ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { localCluster } from '../../apps/server/src/env/configured-clusters.ts'
import * as moves from '../../apps/server/src/modules/projects/moves/project-moves.store.ts'
import { publishChange } from '../../apps/server/src/modules/projects/projects.service.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { deleteWithoutEvent, findUserId, joinTeam, type TestDatabase } from '../harness/database.ts'

import { colorOf } from '../harness/element-color.ts'
import { watchPendingCalls } from '../harness/pending-calls.ts'
import {
  edit,
  editButton,
  insertOwnProject,
  openDeleteDialog,
  openOwnProject,
  projectRow,
} from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, ownTeam } from '../harness/user.ts'

test.describe('a project whose creation failed', () => {
  test('shows the reason, and a retry creates it', async ({ page, t, newUser, database }) => {
    const { name } = await openOwnProject(page, database, await newUser(), {
      failure: 'site_not_answering',
      name: 'Second Try',
    })
    const failure = page.getByRole('alert')
    await expect(failure).toContainText(t(m.projects_failed))
    await expect(failure).toContainText(t(m.projects_failure_site_not_answering))
    await expectAccessible(page)
    const disabledLink = page.getByRole('link', { name: t(m.projects_open), disabled: true })
    await expect(disabledLink).toHaveAttribute('title', t(m.projects_not_created))
    const position = await disabledLink.boundingBox()
    await page.getByRole('button', { name: t(m.projects_retry) }).click()
    // The second toast may already have replaced the first.
    const toast = page.getByText(t(m.projects_retried_toast, { name }))
    await expect(toast.or(page.getByText(t(m.projects_ready_toast, { name })))).toBeVisible()
    await expect(
      page.getByRole('main').getByText(t(m.projects_state_ready), { exact: true }),
    ).toBeVisible()
    await expect(failure).toBeHidden()
    const openLink = page.getByRole('link', { name: t(m.projects_open_named, { name }) })
    await expect(openLink).toHaveAttribute('target', '_blank')
    expect(await openLink.boundingBox()).toEqual(position)
  })
})

/**
 * Starts a move that is not due yet, so that the server's worker leaves it alone; the test advances
 * it.
 */
async function beginMove(
  { db }: TestDatabase,
  { id: projectId, userId: requestedBy }: { id: ProjectId; userId: UserId },
) {
  const clusters = { source: localCluster, target: 'other' }
  const later = new Date(Date.now() + hour)
  const move = await db.transaction(async (tx) => {
    const begun = await moves.begin(
      tx,
      { projectId, requestedBy, ...clusters },
      { now: later, deadlineAt: later },
    )
    await publishChange(tx, projectId)
    return begun
  })
  /** Changes the move as a worker does, with its event in the same transaction. */
  return (change: moves.Change) =>
    db.transaction(async (tx) => {
      await moves.update(tx, move, change)
      await publishChange(tx, projectId)
    })
}

test.describe('a project that an operator moves', () => {
  test('shows that it is being moved and whether its site runs, until the move is finished', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id } = await openOwnProject(page, database, user, {
      state: 'ready',
      appliedGeneration: 1,
    })
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
    const main = page.getByRole('main')
    const moving = main.getByText(t(m.projects_moving), { exact: true })
    const paused = main.getByText(t(m.projects_moving_paused), { exact: true })
    await expect(moving).toBeHidden()

    const change = await beginMove(database, { id, userId: await findUserId(database, user.email) })
    await expect(moving).toBeVisible()
    await expectAccessible(page)
    await change({ pausedAt: new Date() })
    await expect(paused).toBeVisible()
    await expect(moving).toBeHidden()
    await change({ pausedAt: null, finishedAt: new Date() })
    await expect(paused).toBeHidden()
    await expect(moving).toBeHidden()
  })
})

test.describe('a change by another user', () => {
  test('appears in the list and on the page without a reload', async ({
    page,
    t,
    newUser,
    otherBrowser,
    database,
  }) => {
    const owner = await newUser()
    const member = await newUser({ name: 'Grace Example' })
    const { id: teamId } = await ownTeam(owner)
    await joinTeam(database, { teamId, userId: (await ownTeam(member)).userId })

    const list = await otherBrowser()
    await storeSession(list, member)
    await list.goto('/projects')
    await expect(list.getByText(t(m.projects_empty))).toBeVisible()
    await expect(list.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()

    const project = await owner.call(createProject, {
      body: { name: 'Team Bakery', teamId, regionId: 'eu', domain: null },
    })
    await expect(projectRow(list, 'Team Bakery')).toContainText(t(m.projects_state_ready))

    await storeSession(page, owner)
    await page.goto(`/projects/view/${project.key}`)
    const tab = await page.context().newPage()
    await tab.goto(`/projects/view/${project.key}`)
    await expect(heading(tab, 'Team Bakery')).toBeVisible()
    await expect(tab.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()

    const field = await edit(page, t, t(m.projects_name))
    await field.fill('Team Patisserie')
    await field.press('Enter')
    await expect(heading(tab, 'Team Patisserie')).toBeVisible()
    await expect(projectRow(list, 'Team Patisserie')).toBeVisible()
  })

  test('a rename of a deleted project shows an error and keeps the input', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const waitUntilUpToDate = watchPendingCalls(page)
    const { id } = await openOwnProject(page, database, await newUser())
    const field = await edit(page, t, t(m.projects_name))
    await field.fill('Too Late')
    await waitUntilUpToDate(t)
    await deleteWithoutEvent(database, id)
    await page.getByRole('button', { name: t(m.shell_save) }).click()
    await expect(page.getByText(t(m.error_cannot_update_deleted_project))).toBeVisible()
    await expect(field).toHaveValue('Too Late')
    await expectAccessible(page)
  })

  test('a second deletion of a project shows an error', async ({ page, t, newUser, database }) => {
    const waitUntilUpToDate = watchPendingCalls(page)
    const { id } = await openOwnProject(page, database, await newUser())
    await waitUntilUpToDate(t)
    const dialog = await openDeleteDialog(page, t)
    await expect(dialog).toBeVisible()
    await deleteWithoutEvent(database, id)
    await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
    await expect(dialog.getByRole('alert')).toHaveText(t(m.error_already_deleted))
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t(m.shell_cancel) }).click()
    await expect(page.getByText(t(m.projects_hint_deleted))).toBeVisible()
  })
})

test.describe('the fields of a project', () => {
  test('reject invalid input, and reset on Escape', async ({ page, t, newUser, database }) => {
    const takenDomain = `${newEmail().split('@')[0]}.example.org`
    const user = await newUser()
    await insertOwnProject(database, user, { domain: takenDomain })
    const { name } = await openOwnProject(page, database, user)

    const nameField = await edit(page, t, t(m.projects_name))
    await nameField.fill('ab')
    await nameField.press('Enter')
    await expect(page.getByText(t(m.form_enter_name))).toBeVisible()
    await expect(nameField).toBeFocused()
    await expect.poll(() => colorOf(nameField, 'outlineColor')).toBe('red')
    await nameField.press('Escape')
    await expect(nameField).toBeHidden()
    await expect(heading(page, name)).toBeVisible()

    const domainLabel = t(m.projects_domain)
    const domainField = await edit(page, t, domainLabel)
    for (const [domain, message] of [
      ['https://example.org', t(m.form_enter_domain)],
      ['shop.localhost', t(m.form_domain_reserved)],
      [takenDomain, t(m.error_domain_in_use)],
    ] as const) {
      await domainField.fill(domain)
      await domainField.press('Enter')
      await expect(page.getByText(message, { exact: true })).toBeVisible()
    }
    await expectAccessible(page)
    const [field, error] = await Promise.all([
      domainField.boundingBox(),
      page.getByText(t(m.error_domain_in_use), { exact: true }).boundingBox(),
    ])
    // Directly below its field, above the buttons.
    expect((error?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeLessThan(10)
    await page.getByRole('button', { name: t(m.shell_cancel) }).click()
    await expect(editButton(page, t, domainLabel)).toBeFocused()

    const pasted = await edit(page, t, domainLabel)
    await pasted.fill(` shop.${takenDomain.toUpperCase()}./`)
    await pasted.press('Enter')
    await expect(editButton(page, t, domainLabel)).toBeFocused()
    await expect(
      page.getByRole('main').getByText(`shop.${takenDomain}`, { exact: true }).first(),
    ).toBeVisible()
  })
})
