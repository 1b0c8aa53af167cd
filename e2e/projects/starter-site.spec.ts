import type { Page } from '@playwright/test'
import { phrases } from '../../apps/site/src/phrases.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** A picture as a camera might make it: larger than any size that is stored. */
const photo = async (page: Page) => {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 2400
    canvas.height = 1600
    const context = canvas.getContext('2d')
    if (!context) throw new Error('No canvas')
    context.fillStyle = '#b5541c'
    context.fillRect(0, 0, 2400, 1600)
    context.fillStyle = '#f5d9b8'
    context.fillRect(600, 400, 900, 700)
    return canvas.toDataURL('image/png')
  })
  const buffer = Buffer.from(url.split(',')[1] ?? '', 'base64')
  return { name: 'photo.png', mimeType: 'image/png', buffer }
}

const expectNoSidewaysScroll = async (page: Page) => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(width).toBeLessThanOrEqual(0)
}

for (const [language, locale] of [
  ['en', 'en-GB'],
  ['tr', 'tr-TR'],
] as const) {
  test.describe(`a small website, in ${locale}`, () => {
    test.use({ locale })

    test('is written, illustrated, designed and visited', async ({
      page,
      newUser,
      otherBrowser,
    }) => {
      const words = phrases[language]
      const user = await newUser()
      const { defaultUrl } = await createReadyProject(user, 'Harbour Cafe')
      await storeSession(page, user)
      await page.goto(`${defaultUrl}/yk/app/auth/oauth/cloud`)
      await expect(heading(page, words.editTitle)).toBeVisible()

      const preview = page.frameLocator('iframe[name=preview]')
      const text = page.getByLabel(words.text, { exact: true })
      await page.getByLabel(words.title, { exact: true }).fill('Coffee on the quay')
      await text.fill('Open every day.')
      await expect(preview.getByRole('heading', { name: 'Coffee on the quay' })).toBeVisible()
      await text.press('ControlOrMeta+End')
      await text.pressSequentially(' ')
      await text.press('ControlOrMeta+b')
      await text.pressSequentially('Until six')
      await expect(preview.locator('strong')).toHaveText('Until six')
      await expect(page.getByText(words.unsaved)).toBeVisible()

      await text.press('ControlOrMeta+End')
      await page.getByRole('button', { name: words.picture, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: words.addPicture })
      await dialog.getByLabel(words.chooseFile, { exact: true }).setInputFiles(await photo(page))
      await dialog.getByRole('button', { name: words.upload }).click()
      await expect(dialog.getByRole('alert')).toHaveText(words.altMissing)
      await expectAccessible(page)
      await dialog.getByLabel(words.alt, { exact: true }).fill('A red door')
      await dialog.getByRole('button', { name: words.upload }).click()
      await expect(dialog).toBeHidden()
      await expect(preview.getByRole('img', { name: 'A red door' })).toBeVisible()
      await text.press('ControlOrMeta+s')
      await expect(page.getByText(words.saved)).toBeVisible()
      await expectAccessible(page)

      await page.getByRole('link', { name: words.addPage }).click()
      await page.getByLabel(words.title, { exact: true }).fill('Contact')
      await text.fill('**[Call us](tel:+902320000000)**')
      await page.getByRole('button', { name: words.save }).click()
      await expect(page.getByText(words.saved)).toBeVisible()
      await expect(page.getByLabel(words.address)).toHaveValue('contact')
      await expectAccessible(page)

      await page.getByRole('link', { name: words.design, exact: true }).click()
      await page.getByText(words.designs.shopfront.title).click()
      await page.getByText(words.accents.teal, { exact: true }).click()
      await page.getByRole('button', { name: words.save }).click()
      await expect(page.getByText(words.saved)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: words.pictures, exact: true }).click()
      await expect(page.getByText(words.shownOn(words.homePage))).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: words.pages, exact: true }).click()
      await expect(heading(page, words.allPages)).toBeVisible()
      await expectAccessible(page)

      const visitor = await otherBrowser()
      await visitor.goto(defaultUrl)
      const picture = visitor.getByRole('img', { name: 'A red door' })
      await expect(picture).toHaveJSProperty('complete', true)
      expect(
        await picture.evaluate((image: HTMLImageElement) => image.naturalWidth),
      ).toBeGreaterThan(0)
      await expect(picture).toHaveAttribute(
        'srcset',
        /-480\.webp 480w, .+-960\.webp 960w, .+1920w$/,
      )
      for (const colorScheme of ['light', 'dark'] as const) {
        await visitor.emulateMedia({ colorScheme })
        await expectAccessible(visitor)
      }
      await visitor.getByRole('link', { name: 'Contact' }).click()
      await expect(visitor).toHaveTitle('Contact · Harbour Cafe')
      await expect(visitor.getByRole('link', { name: 'Call us' })).toHaveClass('button')
      await expectAccessible(visitor)
    })
  })
}

test('every design is accessible in light and dark, on a phone and on a desktop', async ({
  page,
  newUser,
}) => {
  const user = await newUser()
  const { defaultUrl } = await createReadyProject(user, 'Harbour Cafe')
  await storeSession(page, user)
  await page.goto(`${defaultUrl}/yk/app/auth/oauth/cloud`)
  const elements =
    'A [link](https://example.com).\n\n## Heading\n\n- One\n- Two\n\n> Quote\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\n```\ncode\n```\n\n---\n\n**[Button](/)**'
  await page.getByLabel(phrases.en.text, { exact: true }).fill(elements)
  await page.getByRole('button', { name: phrases.en.save }).click()
  await expect(page.getByText(phrases.en.saved)).toBeVisible()
  for (const design of ['journal', 'shopfront', 'portfolio'] as const) {
    await page.goto(`${defaultUrl}/yk/app/design`)
    await page.getByText(phrases.en.designs[design].title).click()
    await page.getByRole('button', { name: phrases.en.save }).click()
    await expect(page.getByText(phrases.en.saved)).toBeVisible()
    await page.goto(defaultUrl)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 844 })
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
    }
  }
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('pages are written, previewed and ordered, and the design is chosen', async ({
    page,
    newUser,
    browser,
  }) => {
    const words = phrases.en
    const user = await newUser()
    const { defaultUrl } = await createReadyProject(user, 'Harbour Cafe')
    // The console needs scripts, so another context signs in, and its cookies are copied.
    const scripted = await browser.newContext({ javaScriptEnabled: true })
    const signedIn = await scripted.newPage()
    await storeSession(signedIn, user)
    await signedIn.goto(`${defaultUrl}/yk/app/auth/oauth/cloud`)
    await expect(heading(signedIn, words.editTitle)).toBeVisible()
    await page.context().addCookies(await scripted.cookies(`${defaultUrl}/yk/app`))
    await scripted.close()

    await page.goto(`${defaultUrl}/yk/app`)
    await page.getByLabel(words.title, { exact: true }).fill('Plain')
    await page.getByRole('button', { name: words.preview }).click()
    const preview = page.frameLocator('iframe[name=preview]')
    await expect(preview.getByRole('heading', { name: 'Plain' })).toBeVisible()
    await page.getByRole('button', { name: words.save }).click()
    await expect(page.getByText(words.saved)).toBeVisible()
    for (const title of ['One', 'Two']) {
      await page.getByRole('link', { name: words.addPage }).click()
      await page.getByLabel(words.title, { exact: true }).fill(title)
      await page.getByRole('button', { name: words.save }).click()
      await expect(page.getByText(words.saved)).toBeVisible()
    }
    await page.getByRole('link', { name: words.pages, exact: true }).click()
    await page.getByRole('button', { name: words.moveUp('Two') }).click()
    await expect(page.getByText(words.orderSaved)).toBeVisible()
    await page.getByRole('link', { name: words.design, exact: true }).click()
    await page.getByText(words.designs.portfolio.title).click()
    await page.getByRole('button', { name: words.save }).click()
    await expect(page.getByText(words.saved)).toBeVisible()
    await page.goto(defaultUrl)
    await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Two', 'One'])
  })
})
