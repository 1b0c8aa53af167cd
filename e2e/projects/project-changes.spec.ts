import { createProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { deleteUnnoticed, joinTeam } from '../harness/database.ts'
import { watchCalls } from '../harness/pending-calls.ts'
import {
  askToDelete,
  edit,
  editButton,
  insertOwnProject,
  openOwnProject,
} from '../harness/project-screens.ts'
import { heading, projectRow, signIn } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, ownTeam } from '../harness/user.ts'

test.describe('a project that failed', () => {
  test('says why, and is created when asked again', async ({ page, say, newPerson, database }) => {
    const { name } = await openOwnProject(page, database, await newPerson(), {
      failure: 'site_not_answering',
      name: 'Second Try',
    })
    const failure = page.getByRole('alert')
    await expect(failure).toContainText(say(m.projects_failed))
    await expect(failure).toContainText(say(m.projects_failure_site_not_answering))
    await expectAccessible(page)
    const closed = page.getByRole('link', { name: say(m.projects_open), disabled: true })
    await expect(closed).toHaveAttribute('title', say(m.projects_not_created))
    const place = await closed.boundingBox()
    await page.getByRole('button', { name: say(m.projects_retry) }).click()
    // It says that it is being created again, and soon that it is ready.
    const told = page.getByText(say(m.projects_retried_toast, { name }))
    await expect(told.or(page.getByText(say(m.projects_ready_toast, { name })))).toBeVisible()
    await expect(
      page.getByRole('main').getByText(say(m.projects_state_ready), { exact: true }),
    ).toBeVisible()
    await expect(failure).toBeHidden()
    const open = page.getByRole('link', { name: say(m.projects_open_named, { name }) })
    await expect(open).toHaveAttribute('target', '_blank')
    expect(await open.boundingBox()).toEqual(place)
  })
})

test.describe('a change by somebody else', () => {
  test('shows in the list and on the page, without reloading', async ({
    page,
    say,
    newPerson,
    otherBrowser,
    database,
  }) => {
    const owner = await newPerson()
    const member = await newPerson({ name: 'Grace Example' })
    const { id: teamId } = await ownTeam(owner)
    await joinTeam(database, { teamId, userId: (await ownTeam(member)).userId })

    const list = await otherBrowser()
    await signIn(list, member)
    await list.goto('/projects')
    await expect(list.getByText(say(m.projects_empty))).toBeVisible()
    await expect(list.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()

    const project = await owner.call(createProject, {
      body: { name: 'Team Bakery', teamId, regionId: 'eu', domain: null },
    })
    await expect(projectRow(list, 'Team Bakery')).toContainText(say(m.projects_state_ready))

    await signIn(page, owner)
    await page.goto(`/projects/view/${project.key}`)
    const tab = await page.context().newPage()
    await tab.goto(`/projects/view/${project.key}`)
    await expect(heading(tab, 'Team Bakery')).toBeVisible()
    await expect(tab.getByRole('button', { name: say(m.shell_connected) })).toBeVisible()

    const field = await edit(page, say, say(m.projects_name))
    await field.fill('Team Patisserie')
    await field.press('Enter')
    await expect(heading(tab, 'Team Patisserie')).toBeVisible()
    await expect(projectRow(list, 'Team Patisserie')).toBeVisible()
  })

  test('is told to whoever changes a project that is gone', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const upToDate = watchCalls(page)
    const { id } = await openOwnProject(page, database, await newPerson())
    const field = await edit(page, say, say(m.projects_name))
    await field.fill('Too Late')
    await upToDate(say)
    await deleteUnnoticed(database, id)
    await page.getByRole('button', { name: say(m.shell_save) }).click()
    await expect(page.getByText(say(m.error_cannot_update_deleted_project))).toBeVisible()
    await expect(field).toHaveValue('Too Late')
    await expectAccessible(page)
  })

  test('is told to whoever deletes a project that is gone', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const upToDate = watchCalls(page)
    const { id } = await openOwnProject(page, database, await newPerson())
    await upToDate(say)
    const dialog = await askToDelete(page, say)
    await expect(dialog).toBeVisible()
    await deleteUnnoticed(database, id)
    await dialog.getByRole('button', { name: say(m.projects_delete_confirm) }).click()
    await expect(dialog.getByRole('alert')).toHaveText(say(m.error_already_deleted))
    await expectAccessible(page)
    await dialog.getByRole('button', { name: say(m.shell_cancel) }).click()
    await expect(page.getByText(say(m.projects_hint_deleted))).toBeVisible()
  })
})

test.describe('the fields of a project', () => {
  test('refuse what is not valid, and go back on Escape', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const taken = `${newEmail().split('@')[0]}.example.org`
    const person = await newPerson()
    await insertOwnProject(database, person, { domain: taken })
    const { name } = await openOwnProject(page, database, person)

    const nameField = await edit(page, say, say(m.projects_name))
    await nameField.fill('ab')
    await nameField.press('Enter')
    await expect(page.getByText(say(m.form_enter_name))).toBeVisible()
    await expect(nameField).toBeFocused()
    await nameField.press('Escape')
    await expect(nameField).toBeHidden()
    await expect(heading(page, name)).toBeVisible()

    const domainLabel = say(m.projects_domain)
    const domainField = await edit(page, say, domainLabel)
    for (const [domain, message] of [
      ['https://example.org', say(m.form_enter_domain)],
      ['shop.localhost', say(m.form_domain_reserved)],
      [taken, say(m.error_domain_in_use)],
    ] as const) {
      await domainField.fill(domain)
      await domainField.press('Enter')
      await expect(page.getByText(message, { exact: true })).toBeVisible()
    }
    await domainField.fill('köşefırın.com')
    await domainField.press('Enter')
    const advice = say(m.projects_domain_in_dns, { domain: 'xn--kefrn-jua92bb32b.com' })
    await expect(domainField).toHaveAccessibleDescription(`${say(m.form_enter_domain)} ${advice}`)
    await expectAccessible(page)
    await page.getByRole('button', { name: say(m.shell_cancel) }).click()
    await expect(editButton(page, say, domainLabel)).toBeFocused()

    const pasted = await edit(page, say, domainLabel)
    await pasted.fill(` shop.${taken.toUpperCase()}./`)
    await pasted.press('Enter')
    await expect(editButton(page, say, domainLabel)).toBeFocused()
    await expect(
      page.getByRole('main').getByText(`shop.${taken}`, { exact: true }).first(),
    ).toBeVisible()
  })
})
