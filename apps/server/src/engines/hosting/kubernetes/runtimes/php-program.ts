import { z } from 'zod'
import { phpRequestSeconds } from '../../../../fastcgi/php-limits.ts'
import { requestFastCgi } from '../../../../fastcgi/request.ts'
import type { Instance } from '../../engine.ts'
import { commonSettings } from '../../local/runtimes/php/php-settings.ts'
import {
  drainCommand,
  type GetEmailAccess,
  type RunningSite,
  type RuntimeImages,
  runtimeUser,
} from './cluster-runtime.ts'
import type { PodProgram } from './pod-program.ts'

/** The customary port of FastCGI. Only gateways reach it (the NetworkPolicy of the project). */
const port = 9000
/** The first request installs a WordPress. */
const startSeconds = 60

/** Sends emails by the service. Quoted: an unquoted value on the command line ends at a blank. */
const sendEmails = 'sendmail_path="/bin/sh /slipway/sendmail.sh"'

const version = z.string().regex(/^\d{1,3}(?:\.\d{1,4}){1,3}$/)
const versions = z.object({ php: version, sqlite: version })

/** The versions in the pod of a site; null when it does not report them. */
export async function phpVersions({ address, signal }: RunningSite) {
  const response = await requestFastCgi(address, '/slipway/versions.php', {}, signal)
  if (response?.status !== 200) return null
  try {
    return versions.safeParse(JSON.parse(response.body)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** php-fpm with the release at /app and the site's data in /data. `file` responds once it works. */
export async function phpProgram(
  { key, artifact, hosts }: Instance,
  images: RuntimeImages,
  emailAccess: GetEmailAccess,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<PodProgram> {
  if (artifact === null) throw new Error(`${key} has no release`)
  const emails = await emailAccess(key)
  return {
    image: images.php ?? '',
    needsCredentials: false,
    command: [
      'php-fpm',
      '--nodaemonize',
      '--force-stderr',
      '--fpm-config',
      '/slipway/php-fpm.conf',
      ...[...commonSettings, sendEmails].flatMap((setting) => ['-d', setting]),
    ],
    env: {
      HOME: '/data',
      DATA_DIR: '/data',
      SLIPWAY_LISTEN: String(port),
      SLIPWAY_REQUEST_SECONDS: String(phpRequestSeconds),
      SLIPWAY_HOST: hosts[0] ?? 'localhost',
      SLIPWAY_EMAIL_URL: emails.url,
      SLIPWAY_EMAIL_TOKEN: emails.token,
      ...env,
    },
    port,
    userId: runtimeUser,
    startCheck: { command: ['/bin/sh', '/slipway/ready.sh', file], seconds: startSeconds },
    livenessPath: null,
    drainCommand,
    dataPath: '/data',
    release: { artifact, fetchImage: images.node ?? '', needsPackages: false },
    settings: null,
  }
}
