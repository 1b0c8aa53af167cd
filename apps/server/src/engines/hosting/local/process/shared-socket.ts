import { chmod, chown } from 'node:fs/promises'

/** Lets only the server's user and the members of `group` connect to a socket. */
export async function shareSocket(path: string, group: number | null): Promise<void> {
  if (group !== null) await chown(path, 0, group)
  await chmod(path, group === null ? 0o600 : 0o660)
}
