import { type FastCgiAddress, requestFastCgi } from '../../../../../fastcgi/request.ts'
import type { Instance } from '../../../engine.ts'

/** The service's own request to a file, on the site's first host. */
export const requestWordPress = (
  address: FastCgiAddress,
  file: string,
  { hosts }: Pick<Instance, 'hosts'>,
  signal: AbortSignal,
) => {
  const host = hosts[0] ?? 'localhost'
  return requestFastCgi(address, file, { HTTP_HOST: host, SERVER_NAME: host }, signal)
}

/** Runs the scheduled tasks of WordPress, such as posts and updates. */
export async function runWordPressCron(
  address: FastCgiAddress,
  instance: Pick<Instance, 'hosts'>,
  signal: AbortSignal,
): Promise<void> {
  await requestWordPress(address, '/app/wp-cron.php', instance, signal)
}
