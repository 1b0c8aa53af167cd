import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { listProjects, viewProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { insertInvoice, invoicePath } from '../harness/invoice-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { heading, signIn } from '../harness/screens.ts'
import { openTicket, ticketPath } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Say } from '../harness/texts.ts'
import { ownTeam } from '../harness/user.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

/** The buttons of the page that copy: what they do is their name. */
const copyButtons = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Copy:? / })

/** What a copy button stands beside; a shortened value has the whole one as its title. */
const shownBeside = (button: Locator) =>
  button.evaluate((element) => {
    const shown = element.closest('span')?.previousElementSibling
    return shown?.querySelector('[title]')?.getAttribute('title') ?? shown?.textContent ?? ''
  })

/** Presses each copy button of the page; expects each to copy what is given, and to say so. */
async function expectCopies(page: Page, say: Say, values: Record<string, string>) {
  await expect(copyButtons(page)).toHaveCount(Object.keys(values).length)
  for (const [name, value] of Object.entries(values)) {
    const button = page.getByRole('main').getByRole('button', { name, exact: true })
    expect.soft(await shownBeside(button), name).toContain(value)
    await page.evaluate("navigator.clipboard.writeText('something else')")
    await button.click()
    await expect(button.locator('xpath=following-sibling::*[@role="status"]')).toHaveText(
      say(m.shell_copied),
    )
    expect(await copied(page), name).toBe(value)
  }
}

test('every copy button puts what it stands beside on the clipboard, and says so', async ({
  page,
  say,
  newPerson,
  database,
}) => {
  const person = await newPerson()
  const team = await ownTeam(person)
  const domain = `www.${team.id}.example`
  const project = await insertOwnProject(database, person, { name: 'Old Mill', domain })
  const { defaultUrl, controllerDomain } = await person.call(viewProject, {
    params: { key: project.key },
  })
  const ticket = await openTicket(person)
  const invoice = await insertInvoice(database, person)
  const projects = await person.call(listProjects)
  const copies = (label: () => string) => say(m.projects_copy, { label: say(label) })
  const idOfTicket = { [say(m.support_copy_id, { subject: ticket.subject })]: ticket.id }

  await signIn(page, person)
  for (const [path, title, values] of [
    [
      '/projects',
      say(m.projects_title),
      Object.fromEntries(projects.map(({ id, name }) => [say(m.projects_copy_id, { name }), id])),
    ],
    [
      `/projects/view/${project.key}`,
      project.name,
      {
        [copies(m.projects_key)]: project.key,
        [copies(m.projects_id)]: project.id,
        [copies(m.projects_domain)]: domain,
        [copies(m.projects_dns_name)]: domain,
        [copies(m.projects_dns_value)]: controllerDomain,
        [copies(m.projects_default_url)]: defaultUrl,
      },
    ],
    [`/teams/view/${team.id}`, team.name, { [say(m.teams_copy_id)]: team.id }],
    ['/support/tickets', say(m.support_title), idOfTicket],
    [ticketPath(ticket.id), ticket.subject, idOfTicket],
    [invoicePath(invoice), /./, { [say(m.invoices_copy_id)]: invoice }],
  ] as const) {
    await page.goto(path)
    await expect(heading(page, title)).toBeVisible()
    await expectCopies(page, say, values)
  }

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: say(m.palette_title) }).fill(say(m.palette_copy_address))
  await page.keyboard.press('Enter')
  await expect(page.getByText(say(m.palette_address_copied))).toBeVisible()
  expect(await copied(page)).toBe(page.url())
})

test('a copy button that may not copy says so, and the next press may', async ({
  page,
  say,
  newPerson,
}) => {
  const person = await newPerson()
  await signIn(page, person)
  await page.goto(`/teams/view/${(await ownTeam(person)).id}`)
  const button = page.getByRole('button', { name: say(m.teams_copy_id) })
  await expect(button).toBeVisible()
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
  await button.click()
  const said = button.locator('xpath=following-sibling::*[@role="status"]')
  await expect(said).toHaveText(say(m.shell_copy_failed))
  await expect(said).toBeInViewport()
  await page.evaluate('delete navigator.clipboard.writeText')
  await button.click()
  await expect(said).toHaveText(say(m.shell_copied))
})

test('every value with a copy button is in the list above', async () => {
  const features = fileURLToPath(new URL('../../apps/console/src/features', import.meta.url))
  const found: Record<string, number> = {}
  for (const name of await readdir(features, { recursive: true })) {
    if (!/\.tsx$/.test(name)) continue
    const source = await readFile(join(features, name), 'utf8')
    const count = source.match(/<(?:CopyValue|CopyButton|ShortId)\b/g)?.length
    if (count) found[name] = count
  }
  expect(found).toEqual({
    'billing/invoice-details.tsx': 1,
    // The key and the id have one of their own, the default URL another.
    'projects/project-details.tsx': 2,
    'projects/project-dns.tsx': 2,
    'projects/project-domain.tsx': 1,
    'projects/project-table.tsx': 1,
    'support/ticket-table.tsx': 1,
    'support/view-ticket.page.tsx': 1,
    'teams/team-details.tsx': 1,
  })
})
