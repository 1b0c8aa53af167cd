import { changeProjectPower } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { expect, test } from '../harness/test.ts'

// The pages are errors, which the browser logs.
test.use({ expectedErrors: [/status of (404|503)/] })

test('the error pages of the gateway show the logo and are accessible', async ({
  page,
  t,
  service: { sitesPort },
  newUser,
}) => {
  const user = await newUser()
  const { id, key } = await createReadyProject(user, 'Closed shop')
  await user.call(changeProjectPower, { params: { id }, body: { power: 'stopped' } })
  await until(async () => (await sitePage(sitesPort, `${key}.localhost`)).status === 503)
  for (const [name, title] of [
    ['no-such-site', m.hosting_not_found_title],
    [key, m.hosting_stopped_title],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`http://${name}.localhost:${sitesPort}/`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t(title))
      const mark = await page.getByRole('main').locator('svg').boundingBox()
      expect([mark?.width, mark?.height]).toEqual([40, 40])
      await expectAccessible(page)
    }
})
