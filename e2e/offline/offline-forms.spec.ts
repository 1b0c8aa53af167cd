import { m } from '@slipway/phrases'
import { fieldValues, formOf, forms } from '../harness/form-cases.ts'
import { isHydratedScript } from '../harness/hydration.ts'
import { goOffline } from '../harness/offline.ts'
import { expect, test } from '../harness/test.ts'

test.use({ expectedErrors: [/Failed to load resource|net::ERR_|WebSocket/] })

for (const each of forms)
  test(`the form of ${each.name} keeps its input while offline, when the request fails, and back online`, async ({
    page,
    context,
    t,
    service,
    database,
    newUser,
  }) => {
    const formContext = { page, t, url: service.url, database, newUser }
    const firstField = await each.open(formContext)
    const form = formOf(page, firstField)
    await each.fill(formContext)
    const currentValues = () => fieldValues(form, each.retainedFields)
    const valuesBefore = await currentValues()
    expect(valuesBefore.length).toBeGreaterThan(0)
    const isSignedIn = await page.evaluate<boolean>("localStorage.getItem('token') !== null")
    // A dialog hides the page behind it.
    const connected = page.getByRole('button', {
      name: t(m.shell_connected),
      includeHidden: true,
    })
    if (isSignedIn) await expect(connected).toBeVisible()
    // Hydration needs the network.
    else await expect.poll(() => page.evaluate(isHydratedScript)).toBe(true)
    const submit = form.locator('[type=submit]')
    const confirm = each.confirm?.(formContext)
    if (confirm) await submit.click()
    await confirm?.waitFor()

    await goOffline(page)
    expect(await currentValues()).toEqual(valuesBefore)
    await (confirm ?? submit).click()
    const failure = form.getByRole('alert').filter({ hasText: t(m.error_network) })
    await expect(failure.last()).toBeVisible()
    expect(await currentValues()).toEqual(valuesBefore)

    // The page refetches its data when it is online again, but not the input.
    const fetched = isSignedIn && page.waitForResponse('**/api/account/profile/user')
    await context.setOffline(false)
    await fetched
    if (isSignedIn) await expect(connected).toBeVisible()
    expect(await currentValues()).toEqual(valuesBefore)
  })
