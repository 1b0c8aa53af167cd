import type { Page } from '@playwright/test'
import { createProject, listProjects } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { connectTo } from '../harness/database.ts'
import { connectionErrors, test } from '../harness/own-server.ts'
import { projectRow } from '../harness/project-screens.ts'
import { expect } from '../harness/test.ts'
import { createUser, ownTeam } from '../harness/user.ts'

/** Records each color of the connection indicator's dot from now on. */
async function recordColors(page: Page) {
  const colors: string[] = []
  await page.exposeFunction('noteColor', (color: string) => {
    if (colors.at(-1) !== color) colors.push(color)
  })
  await page.evaluate(`
    const dot = document.querySelector('header button .rounded-full')
    const note = () => noteColor(getComputedStyle(dot).backgroundColor)
    new MutationObserver(note).observe(dot, { attributes: true })
  `)
  return colors
}

function hue(color: string) {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number)
  if (blue > 2 * red && blue > 2 * green) return 'blue'
  if (red > 2 * green && red > 2 * blue) return 'red'
  return red > 2 * blue && green > 2 * blue ? 'yellow' : color
}

test.describe('a server that is killed during creations and started again', () => {
  test.use({ expectedErrors: [connectionErrors] })

  test('loses nothing: the open page reconnects and shows the projects as Ready', async ({
    page,
    t,
    server,
  }) => {
    const user = await createUser(server.url)
    const { id: teamId } = await ownTeam(user)
    await storeSession(page, user)
    await page.goto(`${server.url}/projects`)
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
    const colors = await recordColors(page)

    const names = ['First Site', 'Second Site', 'Third Site']
    await Promise.all(
      names.map((name) =>
        user.call(createProject, { body: { name, teamId, regionId: 'eu', domain: null } }),
      ),
    )
    await server.kill()
    await expect(page.getByRole('button', { name: t(m.shell_disconnected) })).toBeVisible()

    const { pool, close } = connectTo(server.dataDir)
    const { rows } = await pool.query('select state from projects')
    await close()
    expect(rows).toHaveLength(names.length)
    expect(rows.filter(({ state }) => state !== 'ready')).not.toEqual([])

    await server.start()
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
    for (const name of names)
      await expect(projectRow(page, name)).toContainText(t(m.projects_state_ready))
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
    // Red is disconnected, yellow connecting, blue connected.
    expect(colors.map(hue).join(' ')).toMatch(/^(red yellow )+blue$/)

    const projects = await user.call(listProjects)
    expect(projects.map(({ name }) => name).sort()).toEqual(names)
    for (const { defaultUrl, name } of projects) {
      const site = await sitePage(server.sitesPort, new URL(defaultUrl).hostname)
      expect(site.body).toContain(name)
    }
  })
})
