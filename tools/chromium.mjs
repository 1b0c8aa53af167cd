import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root, run, say, ToolError } from './command.mjs'

// The headless shell comes first: it takes two thirds of the time.
const commands = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]

/**
 * Finds a Chromium by CHROMIUM_PATH, on the PATH, or Playwright's. Installs one if there is none.
 * @returns {Promise<string>} the path of the program
 */
export async function findChromium() {
  const configuredPath = process.env.CHROMIUM_PATH
  if (configuredPath) {
    if (await starts(configuredPath)) return configuredPath
    throw new ToolError(`CHROMIUM_PATH is ${configuredPath}, which does not start as a browser.`)
  }
  return (await findInstalled()) ?? (await install())
}

async function findInstalled() {
  // A fresh clone has no packages when this file is loaded.
  const { chromium } = await import('@playwright/test')
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)))
  for (const path of [...onPath, chromium.executablePath()]) {
    if (existsSync(path) && (await starts(path))) return path
  }
  return undefined
}

/** @param {string} path */
async function starts(path) {
  // On Windows `--version` opens a window instead.
  if (process.platform === 'win32') return existsSync(path)
  return run(path, ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  )
}

async function install() {
  const failures = []
  // Debian's package comes from the mirrors that the machine uses anyway.
  for (const step of isDebianRoot() ? [withApt, withPlaywright] : [withPlaywright]) {
    const output = await step()
    const path = await findInstalled()
    if (path) return path
    failures.push(output.trim())
  }
  throw new ToolError(
    `${failures.join('\n')}\n\nThe browser tests need a Chromium, and it could not be installed. Install one, or set CHROMIUM_PATH.`,
  )
}

function isDebianRoot() {
  const release = '/etc/os-release'
  return (
    process.getuid?.() === 0 &&
    existsSync(release) &&
    /^ID(_LIKE)?=.*\bdebian\b/m.test(readFileSync(release, 'utf8'))
  )
}

async function withApt() {
  say('Installing Chromium with apt-get ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  let output = await attempt('apt-get', ['update', '-qq'], env)
  // Older releases have no headless shell.
  for (const browser of ['chromium-headless-shell', 'chromium']) {
    // Without a font Chromium draws no text.
    const packages = [browser, 'fonts-liberation']
    const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
    output += await attempt('apt-get', args, env)
    if (await findInstalled()) break
  }
  return output
}

function withPlaywright() {
  say("Downloading Playwright's Chromium ...")
  const script = join(root, 'node_modules/@playwright/test/cli.js')
  // Only root may install the libraries that Chromium needs.
  const withDeps = process.platform === 'linux' && process.getuid?.() === 0 ? ['--with-deps'] : []
  return attempt(process.execPath, [script, 'install', ...withDeps, 'chromium'], process.env)
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
const attempt = (program, args, env) =>
  run(program, args, { env }).then(
    ({ output }) => output,
    (error) => `${program}: ${error.message}\n`,
  )
