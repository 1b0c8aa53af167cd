import type { Browser, Page } from '@playwright/test'
import { type Locale, locales } from '@slipway/phrases'
import { browserLocale } from '../harness/locales.ts'

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }

export type Device = keyof typeof sizes
export type Look = { locale: Locale; mode: 'light' | 'dark'; device: Device }

/** Each language, in each color mode, on each device. */
export const looks: Look[] = locales.flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((mode) =>
    (['desktop', 'phone'] as const).map((device) => ({ locale, mode, device })),
  ),
)

/** The name on the command line and in file names. */
export const lookName = ({ locale, mode, device }: Look) => `${locale}.${mode}.${device}`

/** Opens a page with this look, in a new browser context. */
export async function openLook(
  browser: Browser,
  url: string,
  { locale, mode, device }: Look,
  scale = 1,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale: browserLocale(locale),
    timezoneId: 'Europe/Istanbul',
    colorScheme: mode,
    reducedMotion: 'reduce',
    viewport: sizes[device],
    hasTouch: device === 'phone',
    deviceScaleFactor: scale,
  })
  const page = await context.newPage()
  // The browser shows a dialog before it leaves a form with unsaved input.
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/favicon.svg')
  await page.evaluate(() => localStorage.setItem('openAlphaAgreed', 'yes'))
  return page
}

/** The height of the highest picture in pixels; a browser has no memory for more. */
const maxHeight = 4000

/** Makes the window as high as the page. A `fullPage` screenshot loses `hasTouch`. */
export async function growToContent(page: Page) {
  const size = page.viewportSize()
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  if (size && height > size.height)
    await page.setViewportSize({ ...size, height: Math.min(height, maxHeight) })
}

/** Restores the size of the window. */
export const shrink = (page: Page, { device }: Look) => page.setViewportSize(sizes[device])

/**
 * Shows the console's typeface. A page waits 100 ms for it, which a busy machine misses, so the
 * picture would have the system's font.
 */
export const loadTypeface = (page: Page) =>
  page.evaluate(async () => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    const faces = rules.filter((rule) => rule instanceof CSSFontFaceRule)
    for (const { style } of faces) {
      const face = new FontFace(
        style.getPropertyValue('font-family').replaceAll('"', ''),
        style.getPropertyValue('src'),
        {
          weight: style.getPropertyValue('font-weight'),
          unicodeRange: style.getPropertyValue('unicode-range'),
        },
      )
      document.fonts.add(await face.load())
    }
  })
