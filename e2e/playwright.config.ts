import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { disabledFeatures, findChromium } from '../tools/chromium.mjs'

process.env.CHROMIUM_PATH ||= await findChromium()

export default defineConfig({
  testDir: '.',
  outputDir: fileURLToPath(new URL('../node_modules/.cache/slipway/e2e', import.meta.url)),
  globalSetup: './harness/global.setup.ts',
  fullyParallel: true,
  // Each has a browser, and waits for the server now and then: one more than this machine usually has cores.
  workers: 3,
  // A test that passes only the second time is a defect.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  // Slow on a busy machine is not wrong: these only end what would never end.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    actionTimeout: 20_000,
    baseURL: process.env.E2E_URL,
    locale: 'en-GB',
    timezoneId: 'Europe/Istanbul',
    colorScheme: 'light',
    viewport: { width: 1280, height: 800 },
    // Nothing is half way when it is looked at; the motion has tests of its own.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Recording takes a fifth of the time: `TRACE=1` when a failure needs to be looked at closely.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        '--disable-gpu',
        '--log-level=3',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        disabledFeatures,
        // Every name of the example domain leads to this machine, as its owner's DNS would see to it.
        '--host-resolver-rules=MAP *.example.com 127.0.0.1',
        '--no-default-browser-check',
        // Pages live for a second or two: to optimize their code takes longer than it saves. But for the
        // hash that solves the check against robots (`process` of SHA-256), which is computed 25,000 times.
        '--js-flags=--no-maglev --turbo-filter=process',
      ],
    },
  },
})
