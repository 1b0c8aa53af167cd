import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say, seconds, ToolError } from './command.mjs'
import { stampOf } from './freshness.mjs'

const inRoot = (/** @type {string} */ path) => join(root, path)

/** Whether node_modules holds what package-lock.json asks for. */
export function packagesAreCurrent() {
  const stamp = stampOf('packages', ['package-lock.json'])
  if (existsSync(inRoot('node_modules/.package-lock.json')) && stamp.isCurrent()) return true
  if (!installedMatchesLock()) return false
  stamp.write()
  return true
}

/**
 * Installs what package-lock.json says, touching only what differs. Shows npm's words only when it
 * fails. Not `npm ci`: that refuses a lock file made where the registry lacks the packages of other
 * platforms, and it empties node_modules under whatever runs from there.
 */
export async function installPackages() {
  const started = performance.now()
  say('Installing packages ...')
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  // NODE_ENV=production, or a setting of the user's, would leave out what builds the console.
  args.push('--include=dev', '--include=optional')
  const { code, output } = await runNpm(args)
  if (code !== 0) throw new ToolError(`${output.trim()}\n\nInstalling the packages failed.`)
  if (!packagesAreCurrent()) {
    throw new ToolError('package-lock.json is not up to date with package.json: run npm install.')
  }
  say(`Installed packages in ${seconds(performance.now() - started)}`)
}

/** @param {string[]} args */
async function runNpm(args) {
  const env = npmEnvironment()
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env
  try {
    if (script?.endsWith('.js')) return await run(node, [script, ...args], { env })
    return await run('npm', args, { env, shell: process.platform === 'win32' })
  } catch (error) {
    if (error?.code !== 'ENOENT') throw error
    throw new ToolError('npm was not found: install it, it comes with Node (https://nodejs.org).')
  }
}

// An npm that is run inside of npm would take the outer one's command and options for its own.
// What says where and how to reach the registry is the user's, and stays.
const kept = /^npm_config_(registry|.*proxy|ca|cafile|strict_ssl|cache|userconfig|globalconfig)$/i

function npmEnvironment() {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$)/i.test(name) || kept.test(name),
  )
  return Object.fromEntries(entries)
}

/** npm notes in node_modules what it has put there, in the form of a lock file. */
function installedMatchesLock() {
  const note = inRoot('node_modules/.package-lock.json')
  return (
    existsSync(note) && matchesLock(readPackages(note), readPackages(inRoot('package-lock.json')))
  )
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} Package
 */

/**
 * Whether everything that the lock file asks for is installed, in that version. More may be there.
 * @param {Record<string, Package>} installed by path, as in a lock file
 * @param {Record<string, Package>} locked
 */
export function matchesLock(installed, locked) {
  return Object.entries(locked).every(([path, wanted]) => {
    // The workspaces themselves are files of this repository, whatever npm noted of them.
    if (!path.includes('node_modules/') || wanted.link) return true
    const found = installed[path]
    // Optional ones that are not there are those of other platforms.
    if (!found) return wanted.optional === true
    return found.version === wanted.version && found.integrity === wanted.integrity
  })
}

/**
 * @param {string} path
 * @returns {Record<string, Package>}
 */
const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages
