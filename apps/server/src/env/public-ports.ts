import type { Env } from './env.ts'

type Ports = { http: number; https: number }

export const defaultPorts: Ports = { http: 80, https: 443 }

/**
 * The ports that visitors use: `SITES_URL` has one of them, the listeners the other. With the
 * default port of https, http uses its default, too.
 */
export function publicPorts({
  SITES_URL,
  SITES_PORT,
  SITES_TLS_PORT = defaultPorts.https,
}: Pick<Env, 'SITES_URL' | 'SITES_PORT' | 'SITES_TLS_PORT'>): Ports {
  const { protocol, port } = new URL(SITES_URL)
  if (protocol === 'http:')
    return { http: Number(port || defaultPorts.http), https: SITES_TLS_PORT }
  return port === '' ? defaultPorts : { http: SITES_PORT, https: Number(port) }
}
