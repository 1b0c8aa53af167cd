import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { listProjects, viewProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { insertInvoice, invoicePath } from '../harness/invoice-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { openTicket, ticketPath } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam } from '../harness/user.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const clipboardText = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

/** The copy buttons of the page, by the start of their names. */
const copyButtons = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Copy:? / })

/** The value beside a copy button; a shortened value has the whole one as its title. */
const valueBeside = (button: Locator) =>
  button.evaluate((element) => {
    const shown = element.closest('span:has(> [role=status])')?.previousElementSibling
    return shown?.querySelector('[title]')?.getAttribute('title') ?? shown?.textContent ?? ''
  })

/** Clicks each copy button, and expects it to copy the given value and to say so. */
async function expectCopies(page: Page, t: Translate, values: Record<string, string>) {
  await expect(copyButtons(page)).toHaveCount(Object.keys(values).length)
  for (const [name, value] of Object.entries(values)) {
    const button = page.getByRole('main').getByRole('button', { name, exact: true })
    expect.soft(await valueBeside(button), name).toContain(value)
    await page.evaluate("navigator.clipboard.writeText('something else')")
    await button.click()
    await expect(button.locator('xpath=../following-sibling::*[@role="status"]')).toHaveText(
      t(m.shell_copied),
    )
    expect(await clipboardText(page), name).toBe(value)
  }
}

test('every copy button copies the value beside it, and says so', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  const team = await ownTeam(user)
  const project = await insertOwnProject(database, user, { name: 'Old Mill' })
  const { defaultUrl } = await user.call(viewProject, {
    params: { key: project.key },
  })
  const empty = await insertOwnProject(database, user, {
    name: 'Night Market',
    runtime: 'static',
    state: 'ready',
  })
  const emptyDetail = await user.call(viewProject, { params: { key: empty.key } })
  const ticket = await openTicket(user)
  const number = `EX-${project.key}`
  const invoice = await insertInvoice(database, user, { number })
  // The project of the invoice is deleted: it is not in the list.
  const projects = (await user.call(listProjects)).filter(({ state }) => state !== 'deleted')
  const copies = (label: () => string) => t(m.projects_copy, { label: t(label) })
  const idOfTicket = { [t(m.support_copy_id, { subject: ticket.subject })]: ticket.id }

  await storeSession(page, user)
  for (const [path, title, values] of [
    [
      '/projects',
      t(m.projects_title),
      Object.fromEntries(projects.map(({ id, name }) => [t(m.projects_copy_id, { name }), id])),
    ],
    [`/projects/view/${project.key}`, project.name, { [copies(m.projects_address)]: defaultUrl }],
    [
      `/projects/view/${empty.key}`,
      empty.name,
      {
        [copies(m.projects_address)]: emptyDetail.defaultUrl,
        [t(m.release_command_copy)]: `npx @slipway/cli deploy --project ${empty.key}`,
      },
    ],
    [
      `/projects/view/${project.key}/settings`,
      project.name,
      {
        [copies(m.projects_address)]: defaultUrl,
        [copies(m.projects_key)]: project.key,
        [copies(m.projects_id)]: project.id,
      },
    ],
    [`/teams/view/${team.id}`, team.name, { [t(m.teams_copy_id)]: team.id }],
    ['/support/tickets', t(m.support_title), idOfTicket],
    [ticketPath(ticket.id), ticket.subject, idOfTicket],
    [
      invoicePath(invoice),
      /./,
      { [t(m.invoices_copy_number)]: number, [t(m.invoices_copy_id)]: invoice },
    ],
  ] as const) {
    await page.goto(path)
    await expect(heading(page, title)).toBeVisible()
    await expectCopies(page, t, values)
  }

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: t(m.palette_title) }).fill(t(m.palette_copy_address))
  await page.keyboard.press('Enter')
  await expect(page.getByText(t(m.palette_address_copied))).toBeVisible()
  expect(await clipboardText(page)).toBe(page.url())
})

test('a copy button without permission says so, and works once it is permitted', async ({
  page,
  t,
  newUser,
}) => {
  const user = await newUser()
  await storeSession(page, user)
  await page.goto(`/teams/view/${(await ownTeam(user)).id}`)
  const button = page.getByRole('button', { name: t(m.teams_copy_id) })
  await expect(button).toBeVisible()
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
  await button.click()
  const status = button.locator('xpath=../following-sibling::*[@role="status"]')
  await expect(status).toHaveText(t(m.shell_copy_failed))
  await expect(status).toBeInViewport()
  await page.evaluate('delete navigator.clipboard.writeText')
  await button.click()
  await expect(status).toHaveText(t(m.shell_copied))
})

test('every file with copy buttons is listed here, so that a new button gets a test', async () => {
  const features = fileURLToPath(new URL('../../apps/console/src/features', import.meta.url))
  const counts: Record<string, number> = {}
  for (const name of await readdir(features, { recursive: true })) {
    if (!/\.tsx$/.test(name)) continue
    const source = await readFile(join(features, name), 'utf8')
    const count = source.match(/<(?:CopyValue|CopyButton|SecretOnce\w*|ShortId)\b/g)?.length
    if (count) counts[name] = count
  }
  expect(counts).toEqual({
    // A token that is shown once, and the lines of a log: not beside a value of the page.
    'account/tokens/new-token-dialog.tsx': 1,
    'projects/logs/logs.page.tsx': 1,
    // The number and the id.
    'billing/invoices/invoice-details.tsx': 2,
    // The default URL.
    'projects/domains/domain-list.tsx': 1,
    // Records of DNS, in project-domains.spec.ts.
    'projects/domains/domain-records.tsx': 2,
    // The key and the id.
    'projects/settings/identifiers-card.tsx': 1,
    // An image with its whole digest, in image-site.spec.ts.
    'projects/releases/image/release-image.tsx': 1,
    // The command that deploys to an empty project.
    'projects/releases/upload/deploy-row.tsx': 1,
    // A client's id, secret and addresses for its software.
    'projects/settings/sign-in-client-dialog.tsx': 1,
    'projects/settings/sign-in-client-examples-dialog.tsx': 1,
    'projects/settings/sign-in-clients-card.tsx': 3,
    'projects/site/site-address.tsx': 1,
    'projects/list/project-table.tsx': 1,
    'support/ticket-table.tsx': 1,
    'support/view-ticket.page.tsx': 1,
    'teams/team-details.tsx': 1,
  })
})
