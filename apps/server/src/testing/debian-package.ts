import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

const exists = async (command: string) =>
  run('sh', ['-c', `command -v ${command} || test -e ${command}`]).then(
    () => true,
    () => false,
  )

const isDebian = () => {
  try {
    return /^ID(_LIKE)?=.*\bdebian\b/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

/**
 * True when the command, or the file with an absolute path, exists. As root on Debian a missing one
 * is installed with its packages; on other systems a message says that its tests are skipped.
 */
export async function hasDebianPackage(command: string, name = command): Promise<boolean> {
  if (await exists(command)) return true
  if (process.getuid?.() === 0 && isDebian()) {
    // The service of the package must not start: a test starts the program with its own
    // configuration.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    await run('apt-get', ['update', '-qq'], { env }).catch(() => undefined)
    // Another test may be installing a package.
    const wait = ['-o', 'DPkg::Lock::Timeout=300']
    const args = [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...name.split(' ')]
    await run('apt-get', args, { env }).catch(() => undefined)
    if (await exists(command)) return true
  }
  process.stdout.write(
    `Tests that need ${command} are skipped: it is not installed, and only root on Debian installs it.\n`,
  )
  return false
}
