/** The listeners whose sockets a service manager may open. */
export type ListenerName = 'console' | 'sites' | 'sites-tls'

/** The first descriptor that sd_listen_fds(3) passes. */
const firstDescriptor = 3

/**
 * The descriptor of a listening socket that the service manager opened for this process and keeps
 * over its restarts, so that connections wait and none is refused: systemd's protocol,
 * with `FileDescriptorName=console`, `sites` and `sites-tls`. Undefined without one.
 */
export function inheritedSocket(
  name: ListenerName,
  source: Record<string, string | undefined> = process.env,
): number | undefined {
  // A process inherits the variables of its parent, but not the sockets.
  if (source.LISTEN_PID !== String(process.pid)) return undefined
  const names = source.LISTEN_FDNAMES?.split(':').slice(0, Number(source.LISTEN_FDS)) ?? []
  const index = names.indexOf(name)
  return index === -1 ? undefined : firstDescriptor + index
}
