import { findPhpFpm } from '../engines/hosting/local/runtimes/php/find-php.ts'
import { hasDebianPackage } from './debian-package.ts'

/**
 * True when php-fpm and the other programs of PHP sites are installed, and this process may start
 * them. Otherwise a message says that their tests are skipped.
 */
export async function hasPhpFpm(): Promise<boolean> {
  if (process.getuid?.() !== 0) {
    process.stdout.write('Tests of PHP are skipped: only root starts its sites.\n')
    return false
  }
  const hasPhp = findPhpFpm() !== null || (await hasDebianPackage('php-fpm8.2', 'php8.2-fpm'))
  return hasPhp && (await hasDebianPackage('socat'))
}
