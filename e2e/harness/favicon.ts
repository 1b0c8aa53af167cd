import type { Page } from '@playwright/test'

export const favicon = (page: Page) => page.locator('link[rel="icon"]')

/** The `href` of the icon without a dot. */
export const defaultIcon = /favicon\.svg$/

/** The `href` of the icon with a red dot. */
export const alertIcon = /^data:image\/svg\+xml,.*%23d92d3a/
