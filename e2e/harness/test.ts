import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { Client } from '@slipway/contract/client'
import { preferredLocale } from '@slipway/phrases'
import { connectTo, type TestDatabase } from './database.ts'
import { insertUser } from './insert-user.ts'
import { operatorClient } from './operator.ts'
import { type Translate, textsIn } from './texts.ts'
import { createUser, type TestUser } from './user.ts'

export { expect } from '@playwright/test'

type Service = { url: string; sitesPort: number; dataDir: string }

type Options = {
  /** Errors in the browser's console that the test provokes. */
  expectedErrors: RegExp[]
}

type Fixtures = {
  /** Returns the text of a phrase in the browser's language: `t(m.auth_login)`. */
  t: Translate
  newUser: (overrides?: Parameters<typeof createUser>[1]) => Promise<TestUser>
  /** Opens a page in a new browser context. */
  otherBrowser: () => Promise<Page>
}

type WorkerFixtures = {
  service: Service
  database: TestDatabase
  operator: Client
}

/** The test function with the shared server; an unexpected error in the browser fails the test. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  expectedErrors: [[], { option: true }],

  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the used fixtures from the pattern
    async ({}, use) => {
      const { E2E_URL = '', E2E_SITES_PORT, E2E_DATA_DIR = '' } = process.env
      await use({ url: E2E_URL, sitesPort: Number(E2E_SITES_PORT), dataDir: E2E_DATA_DIR })
    },
    { scope: 'worker' },
  ],

  database: [
    async ({ service }, use) => {
      const database = connectTo(service.dataDir)
      await use(database)
      await database.close()
    },
    { scope: 'worker' },
  ],

  operator: [
    async ({ service }, use) => {
      await use(operatorClient(service.url, process.env.E2E_OPERATOR_TOKEN ?? ''))
    },
    { scope: 'worker' },
  ],

  t: async ({ locale }, use) => {
    await use(textsIn(preferredLocale(locale)))
  },

  newUser: async ({ service, database }, use) => {
    await use((overrides) =>
      overrides?.verified === false
        ? createUser(service.url, overrides)
        : insertUser(database, service.url, overrides),
    )
  },

  context: async ({ context, expectedErrors }, use) => {
    const errors = await collectErrors(context)
    await use(context)
    expectNoErrors(errors, expectedErrors)
  },

  otherBrowser: async ({ browser, expectedErrors }, use) => {
    const contexts: { context: BrowserContext; errors: string[] }[] = []
    await use(async () => {
      const context = await browser.newContext()
      contexts.push({ context, errors: await collectErrors(context) })
      return context.newPage()
    })
    for (const { context, errors } of contexts) {
      await context.close()
      expectNoErrors(errors, expectedErrors)
    }
  },
})

/** Collects the errors of every page: exceptions, logged errors, CSP violations. */
async function collectErrors(context: BrowserContext) {
  const errors: string[] = []
  // Chromium does not log every CSP violation.
  await context.addInitScript(`
    addEventListener('securitypolicyviolation', (event) => {
      console.error('CSP: ' + event.effectiveDirective + ' ' + event.blockedURI)
    })
  `)
  context.on('weberror', (error) =>
    errors.push(`${error.error().stack || error.error()} (${error.page()?.url()})`),
  )
  context.on('console', (message) => {
    if (
      message.type() === 'error' &&
      !isClientErrorResponse(message.text(), message.location().url)
    )
      errors.push(`${message.text()} (${message.location().url})`)
  })
  return errors
}

/**
 * Chromium logs every 4xx response: of the API, which the pages show, and of the icon that it
 * requests from sites without one.
 */
const isClientErrorResponse = (text: string, url: string) => {
  if (!/^Failed to load resource: the server responded with a status of 4\d\d/.test(text))
    return false
  const { hostname, pathname } = new URL(url)
  return (
    pathname.startsWith('/api/') || (pathname === '/favicon.ico' && hostname.endsWith('.localhost'))
  )
}

const expectNoErrors = (errors: string[], expected: RegExp[]) =>
  expect(
    errors.filter((error) => !expected.some((pattern) => pattern.test(error))),
    'errors in the browser',
  ).toEqual([])
