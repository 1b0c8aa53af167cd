import { findPhpFpm } from '../engines/hosting/local/runtimes/php/find-php.ts'
import { hasDebianPackage } from './debian-package.ts'

/** True when php-fpm is there and may change its root folder. */
export const hasPhpFpm = async () =>
  (findPhpFpm() !== null || (await hasDebianPackage('php-fpm8.2', 'php8.2-fpm'))) &&
  process.getuid?.() === 0
