import { createReadStream, type ReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import type { ArtifactFiles } from '../../artifacts/artifact-layout.ts'
import type { ManifestFile } from '../../artifacts/manifest.ts'
import type { Log } from '../../log.ts'
import { projectHeader } from '../headers.ts'
import { sendProblem } from '../problem-pages.ts'
import type { Target } from '../target.ts'
import { cacheControl, revalidated } from './caching.ts'
import { findHeaders } from './header-rules.ts'
import { type Representation, represent } from './representation.ts'
import { decodePath, resolve } from './resolve.ts'
import { loadSite, type StaticSite } from './static-site.ts'

/** The maximum number of files, of all sites, whose names and sizes are cached. */
const cachedFiles = 200_000
/** The maximum size of cached contents, in bytes; larger files are always read from the disk. */
const cachedBytes = 64 * 2 ** 20
const maxCachedFileBytes = 256 * 2 ** 10

export type StaticFiles = {
  siteOf(artifact: string): Promise<StaticSite>
  /** Sends the file of this path in the artifact. Rejects when it cannot be read. */
  sendFile(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    site: { key: string; site: StaticSite },
    found: { path: string; status: number },
  ): Promise<void>
  /** Sends the file of an artifact that the request's path leads to. Never rejects. */
  send(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    site: { key: string; artifact: string },
  ): Promise<void>
}

/**
 * Sends a redirect of a site. Browsers revalidate it: without Cache-Control they would keep a 301,
 * which may lead in a circle after the next release.
 */
export function sendSiteRedirect(
  response: ServerResponse,
  { to, status }: { to: string; status: number },
  key: string,
) {
  response
    .writeHead(status, {
      location: to,
      'content-length': 0,
      'cache-control': revalidated,
      [projectHeader]: key,
    })
    .end()
}

/**
 * Serves the files of static sites. An artifact never changes, so its manifest and rules are read
 * at its first request only.
 */
export function createStaticFiles(
  filesOf: (artifact: string) => ArtifactFiles,
  log: Log,
): StaticFiles {
  const sites = new LRUCache<string, StaticSite>({
    maxSize: cachedFiles,
    sizeCalculation: ({ manifest }) => Math.min(manifest.size + 1, cachedFiles),
    fetchMethod: async (artifact) => (await loadSite(filesOf(artifact))).site,
  })
  const contents = new LRUCache<string, Buffer>({
    maxSize: cachedBytes,
    sizeCalculation: (content) => content.length + 1,
    fetchMethod: (path) => readFile(path),
  })

  async function sendBody(response: ServerResponse, body: Representation['body']) {
    if (body === null) response.end()
    else if (body.range === null && body.size <= maxCachedFileBytes)
      response.end(await contents.fetch(body.path))
    else await sendStream(response, createReadStream(body.path, body.range ?? {}))
  }

  /** Closes the file in any case: `pipeline` does not if the visitor has already left. */
  async function sendStream(response: ServerResponse, file: ReadStream) {
    file.on('error', () => undefined)
    try {
      await pipeline(file, response)
    } finally {
      file.destroy()
    }
  }

  const siteOf = async (artifact: string) => (await sites.fetch(artifact)) as StaticSite

  const sendFile: StaticFiles['sendFile'] = async (
    request,
    response,
    target,
    { key, site },
    resolved,
  ) => {
    const { path: name } = resolved
    const file = { ...(site.manifest.get(name) as ManifestFile), name }
    const { status, headers, body } = represent(request, file, resolved.status, site.files)
    const [rawPath = '/'] = target.path.split('?')
    response.writeHead(status, {
      [projectHeader]: key,
      'cache-control': cacheControl(name),
      'x-content-type-options': 'nosniff',
      ...headers,
      // Decoded, as the file was found: otherwise an encoded letter would skip a rule.
      ...findHeaders(site.headers, decodePath(rawPath) ?? rawPath),
    })
    await sendBody(response, request.method === 'HEAD' ? null : body)
  }

  async function sendResolved(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    { key, artifact }: { key: string; artifact: string },
  ) {
    const site = await siteOf(artifact)
    const resolved = resolve(site, target.path)
    if (resolved.kind === 'malformed')
      return sendProblem(request, response, 'malformed_request', target.host, key)
    if (resolved.kind === 'missing')
      return sendProblem(request, response, 'page_not_found', target.host, key)
    if (resolved.kind === 'redirect') {
      sendSiteRedirect(response, resolved, key)
      return
    }
    await sendFile(request, response, target, { key, site }, resolved)
  }

  return {
    siteOf,
    sendFile,

    async send(request, response, target, site) {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return sendProblem(request, response, 'method_not_allowed', target.host, site.key)
      try {
        await sendResolved(request, response, target, site)
      } catch (error) {
        // A visitor who disconnects ends the pipeline with an error, too.
        if (response.destroyed) return
        log.warn({ ...site, err: error }, 'A file of a static site could not be sent')
        if (response.headersSent) response.destroy()
        else sendProblem(request, response, 'site_failed', target.host, site.key)
      }
    },
  }
}
