import { freemem, totalmem } from 'node:os'
import type { Log } from '../../../../log.ts'
import { countOpenFiles, openFilesLimit } from '../../../../open-files.ts'
import { CapacityError } from '../../engine.ts'

const mebibyte = 2 ** 20
/** The memory of a running site, in bytes. */
const siteBytes = 64 * mebibyte
/** The memory of the system, the server and its database, in bytes. */
const reservedBytes = 512 * mebibyte
/** The memory that must stay free when another site starts, in bytes. */
const freeBytes = 128 * mebibyte
const fewestSites = 4
/** The file descriptors that requests and jobs need. */
const freeFiles = 64

/** The number of sites that fit into the memory of the machine or its container. */
export const sitesForMemory = (): number => {
  const bytes = Math.min(totalmem(), process.constrainedMemory())
  return Math.max(fewestSites, Math.floor((bytes - reservedBytes) / siteBytes))
}

const exhausted = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOSPC', 'EDQUOT'])

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null)

const isExhausted = (error: unknown): boolean =>
  exhausted.has(String(codeOf(error))) || (error instanceof Error && isExhausted(error.cause))

export type Capacity = {
  /** Counts a site that runs already. */
  add(key: string): void
  /** True for a site that is counted. */
  has(key: string): boolean
  /** Counts a site before it starts. Throws a `CapacityError` when the machine is full. */
  admit(key: string): void
  /** Marks a start as over: the site listens or has failed. */
  started(key: string): void
  remove(key: string): void
  /** Runs the start of a site; the system's own limits become a `CapacityError`. */
  within<T>(start: () => Promise<T>): Promise<T>
}

const logIntervalMs = 60_000

/**
 * Limits the sites that run on this machine, by their number, free memory and the server's file
 * descriptors. `freeMemory` returns the free bytes.
 */
export const createCapacity = (limit: number, log: Log, freeMemory = freemem): Capacity => {
  const sites = new Set<string>()
  const starting = new Set<string>()
  let rejected = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const reject = (reason: string, cause?: unknown) => {
    rejected += 1
    if (performance.now() - loggedAt >= logIntervalMs) {
      loggedAt = performance.now()
      log.warn(
        { reason, sites: sites.size, limit, rejected },
        'There is no capacity for another site',
      )
      rejected = 0
    }
    return new CapacityError(reason, { cause })
  }

  const check = () => {
    if (sites.size >= limit) throw reject(`all ${limit} places for sites are taken (SITE_LIMIT)`)
    // The memory of sites that are starting is not used yet.
    const free = freeMemory() - starting.size * siteBytes
    if (free < freeBytes + siteBytes)
      throw reject(`only ${Math.max(0, Math.trunc(free / mebibyte))} MiB of memory are free`)
    const files = openFilesLimit()
    if (files !== undefined && files - countOpenFiles() < freeFiles)
      throw reject(`nearly all ${files} file descriptors are open (ulimit -n)`)
  }

  return {
    has: (key) => sites.has(key),
    add: (key) => void sites.add(key),
    admit(key) {
      if (sites.has(key)) return
      check()
      sites.add(key)
      starting.add(key)
    },
    started: (key) => void starting.delete(key),
    remove(key) {
      sites.delete(key)
      starting.delete(key)
    },
    async within(start) {
      try {
        return await start()
      } catch (error) {
        if (error instanceof CapacityError || !isExhausted(error)) throw error
        throw reject(`the system rejected to start a site (${codeOf(error)})`, error)
      }
    },
  }
}
