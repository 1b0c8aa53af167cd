import type { Instance } from '../../engine.ts'
import { commonSettings, requestSeconds } from '../../local/runtimes/php/php-settings.ts'
import { type RuntimeImages, runtimeUser } from './cluster-runtime.ts'
import type { PodProgram } from './pod-program.ts'

/** The port of FastCGI by custom. Only gateways reach it (the NetworkPolicy of the project). */
const port = 9000
/** The first request installs a WordPress. */
const startSeconds = 60

/** A pod has no way to send emails yet: the log says so, and PHP's mail() returns false. */
const noEmails = 'sendmail_path="/bin/false"'

/** php-fpm with the release at /app and the site's data in /data. `file` responds once it works. */
export function phpProgram(
  { key, artifact, hosts }: Instance,
  images: RuntimeImages,
  file: string,
  env: Readonly<Record<string, string>>,
): PodProgram {
  if (artifact === null) throw new Error(`${key} has no release`)
  return {
    image: images.php ?? '',
    command: [
      'php-fpm',
      '--nodaemonize',
      '--force-stderr',
      '--fpm-config',
      '/slipway/php-fpm.conf',
      ...[...commonSettings, noEmails].flatMap((setting) => ['-d', setting]),
    ],
    env: {
      HOME: '/data',
      DATA_DIR: '/data',
      SLIPWAY_LISTEN: String(port),
      SLIPWAY_REQUEST_SECONDS: String(requestSeconds),
      SLIPWAY_HOST: hosts[0] ?? 'localhost',
      ...env,
    },
    port,
    userId: runtimeUser,
    startCheck: { command: ['/bin/sh', '/slipway/ready.sh', file], seconds: startSeconds },
    dataPath: '/data',
    release: { artifact, fetchImage: images.node ?? '' },
    settings: null,
  }
}
