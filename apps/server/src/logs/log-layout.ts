import { join } from 'node:path'
import { hour as hourMs } from '@slipway/contract/limits'
import type { LogSource } from '@slipway/contract/logs'

// A DNS label (RFC 1035 §2.3.1). Without dots and slashes it cannot leave its folder.
const keyPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const filePattern = /^(\d{10})\.log$/

/** An hour in UTC, such as `2026112217`, by which the files are named and ordered. */
export type Hour = string

/** The place of a line: the hour of its file, and the offset of its first byte. */
export type LogPlace = { hour: Hour; offset: number }

export type LogLayout = {
  root: string
  project(key: string): string
  folder(key: string, source: LogSource): string
  file(key: string, source: LogSource, hour: Hour): string
}

/** The paths of the logs, the same in every process with this data folder. */
export function createLogLayout(dataDir: string): LogLayout {
  const root = join(dataDir, 'logs')
  const project = (key: string) => {
    if (!keyPattern.test(key)) throw new Error(`not a project's key: ${JSON.stringify(key)}`)
    return join(root, key)
  }
  const folder = (key: string, source: LogSource) => join(project(key), source)
  return {
    root,
    project,
    folder,
    file: (key, source, hour) => join(folder(key, source), `${hour}.log`),
  }
}

export const isProjectFolder = (name: string) => keyPattern.test(name)

export const hourOfFile = (name: string): Hour | undefined => filePattern.exec(name)?.[1]

let lastHour = { start: 0, hour: '' }

/** Caches the last hour: the gateway calls this for each request. */
export const hourOf = (time: number): Hour => {
  const start = Math.floor(time / hourMs) * hourMs
  if (lastHour.start !== start)
    lastHour = { start, hour: new Date(start).toISOString().slice(0, 13).replace(/\D/g, '') }
  return lastHour.hour
}

/** The oldest hour within the retention. */
export const oldestHour = (now: number, days: number): Hour => hourOf(now - days * 24 * hourMs)

const offsetDigits = 12

export const positionOf = ({ hour, offset }: LogPlace): string =>
  `${hour}-${String(offset).padStart(offsetDigits, '0')}`

/** The place of a well-formed position. */
export const placeOf = (position: string): LogPlace => {
  const [hour = '', offset = ''] = position.split('-')
  return { hour, offset: Number(offset) }
}
