import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { root, run, say, ToolError } from './command.mjs'

// The shell is the same engine without windows, tabs and an address bar: it takes two thirds of the time.
const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]

/**
 * What Playwright turns off by itself, which a list of ours replaces; and the suggestions below the address
 * bar, two pages that Chromium loads for each window though there is nobody to type: a quarter of the time.
 * It is an argument of a Chromium that Playwright starts.
 */
export const disabledFeatures = `--disable-features=${[
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
].join(',')}`

/**
 * A Chromium that starts: the one of CHROMIUM_PATH, one found on this machine, or one installed
 * now.
 * @returns {Promise<string>} its path
 */
export async function findChromium() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (await starts(chosen)) return chosen
    throw new ToolError(`CHROMIUM_PATH is ${chosen}, which does not start as a browser.`)
  }
  return (await findInstalled()) ?? (await install())
}

async function findInstalled() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, `${name}${suffix}`)))
  for (const path of [...onPath, ...usualPlaces(), ofPlaywright()]) {
    if (existsSync(path) && (await starts(path))) return path
  }
  return undefined
}

function usualPlaces() {
  const macApps = ['/Applications', join(homedir(), 'Applications')].flatMap((folder) => [
    join(folder, 'Chromium.app/Contents/MacOS/Chromium'),
    join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome'),
    join(folder, 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'),
  ])
  const { ProgramFiles, LOCALAPPDATA, 'ProgramFiles(x86)': ProgramFilesX86 } = process.env
  const windowsApps = [ProgramFiles, ProgramFilesX86, LOCALAPPDATA].flatMap((folder) =>
    folder
      ? [
          join(folder, 'Chromium/Application/chrome.exe'),
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ]
      : [],
  )
  const linux = ['/usr/lib/chromium/chromium', '/snap/bin/chromium', '/opt/google/chrome/chrome']
  return { darwin: macApps, win32: windowsApps }[process.platform] ?? linux
}

/** Where Playwright puts the browser that it downloads, whether it has or not. */
const ofPlaywright = () => {
  const { chromium } = createRequire(join(root, 'package.json'))('@playwright/test')
  return chromium.executablePath()
}

/** @param {string} path */
async function starts(path) {
  // On Windows it would open a window instead of answering.
  if (process.platform === 'win32') return existsSync(path)
  return run(path, ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  )
}

async function install() {
  const failures = []
  for (const step of isDebianRoot() ? [withApt, withPlaywright] : [withPlaywright]) {
    const output = await step()
    const path = await findInstalled()
    if (path) return path
    failures.push(output.trim())
  }
  throw new ToolError(
    `${failures.join('\n')}\n\nThe browser tests need a Chromium and none could be installed: install one, or set CHROMIUM_PATH to it.`,
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
  const update = await attempt('apt-get', ['update', '-qq'], env)
  let output = update
  // Older releases have no package of the shell alone.
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
  // Root may install the libraries that it needs as well.
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
