import { freemem, totalmem } from 'node:os'
import type { Log } from '../../../../log.ts'
import { countOpenFiles, openFilesLimit } from '../../../../open-files.ts'
import { CapacityError } from '../../engine.ts'

const mebibyte = 2 ** 20
/** What a running site needs, in bytes. */
const siteBytes = 64 * mebibyte
/** What the system, the server and its database need, in bytes. */
const reservedBytes = 512 * mebibyte
/** What must stay free when another site starts, in bytes. */
const freeBytes = 128 * mebibyte
const fewestSites = 4
/** What requests and jobs need besides, in file descriptors. */
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
  /** Counts a site before it starts. Throws a `CapacityError` when the machine has no room. */
  admit(key: string): void
  /** A site listens, or its start failed. */
  started(key: string): void
  remove(key: string): void
  /** Runs the start of a site; the system's own limits become a `CapacityError`. */
  within<T>(start: () => Promise<T>): Promise<T>
}

const logIntervalMs = 60_000

/**
 * What this machine holds: a number of sites, memory, and file descriptors of the server.
 * `freeMemory` gives the bytes that are free.
 */
export const createCapacity = (limit: number, log: Log, freeMemory = freemem): Capacity => {
  const sites = new Set<string>()
  const starting = new Set<string>()
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const refuse = (reason: string, cause?: unknown) => {
    refused += 1
    if (performance.now() - loggedAt >= logIntervalMs) {
      loggedAt = performance.now()
      log.warn({ reason, sites: sites.size, limit, refused }, 'There is no room for another site')
      refused = 0
    }
    return new CapacityError(reason, { cause })
  }

  const check = () => {
    if (sites.size >= limit) throw refuse(`all ${limit} places for sites are taken (SITE_LIMIT)`)
    // The memory of sites that are starting is not used yet.
    const free = freeMemory() - starting.size * siteBytes
    if (free < freeBytes + siteBytes)
      throw refuse(`only ${Math.max(0, Math.trunc(free / mebibyte))} MiB of memory are free`)
    const files = openFilesLimit()
    if (files !== undefined && files - countOpenFiles() < freeFiles)
      throw refuse(`nearly all ${files} file descriptors are open (ulimit -n)`)
  }

  return {
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
        throw refuse(`the system refused to start a site (${codeOf(error)})`, error)
      }
    },
  }
}
