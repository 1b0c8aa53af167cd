import { findPhpFpm } from '../engines/hosting/local/runtimes/php/find-php.ts'
import { hasDebianPackage } from './debian-package.ts'

/** True when php-fpm and the other programs of PHP sites are installed. */
export const hasPhpFpm = async () =>
  (findPhpFpm() !== null || (await hasDebianPackage('php-fpm8.2', 'php8.2-fpm'))) &&
  (await hasDebianPackage('socat')) &&
  process.getuid?.() === 0
