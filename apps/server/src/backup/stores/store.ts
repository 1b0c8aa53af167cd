import type { Readable } from 'node:stream'

export type StoredBackup = { name: string; createdAt: Date; bytes: number }

/** A place for backups. Only complete backups are visible in it. */
export type BackupStore = {
  /** The place as the operator named it, without secrets. */
  location: string
  /** The complete backups, oldest first. */
  list(): Promise<StoredBackup[]>
  /** Stores the stream and returns its bytes; stores nothing if it fails or the signal aborts. */
  write(name: string, content: Readable, signal: AbortSignal): Promise<number>
  read(name: string, signal?: AbortSignal): Promise<Readable>
  remove(name: string): Promise<void>
}

const pattern = /^slipway-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst\.age$/

/** `slipway-20261122T031700Z.tar.zst.age`: names sort by time. */
export const backupName = (now: Date): string =>
  `slipway-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.zst.age`

/** When the backup of this name was made; undefined for other names. */
export function timeOf(name: string): Date | undefined {
  const match = pattern.exec(name)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second] = match
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

export const byTime = (first: StoredBackup, second: StoredBackup): number =>
  first.createdAt.getTime() - second.createdAt.getTime()
