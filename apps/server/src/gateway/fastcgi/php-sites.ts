import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ArtifactFiles } from '../../artifacts/artifact-layout.ts'
import { phpLayouts } from '../../fastcgi/php-layout.ts'
import type { Route } from '../exchange.ts'
import { projectHeader } from '../headers.ts'
import type { SiteAddress } from '../pools.ts'
import { sendProblem } from '../problem-pages.ts'
import { cacheControl } from '../static/caching.ts'
import { represent } from '../static/representation.ts'
import type { StaticFiles } from '../static/static-files.ts'
import type { Target } from '../target.ts'
import { exchangeFastCgi, type FastCgiOptions } from './exchange.ts'
import { openInside } from './open-inside.ts'
import { resolvePhp } from './php-path.ts'

type PhpRoute = Route & { php: NonNullable<Route['php']> }

type Options = FastCgiOptions & {
  files: StaticFiles
  addressOf: (key: string) => SiteAddress
}

/** Serves the sites of PHP files: their programs by FastCGI, their other files directly. */
export function createPhpSites({ files, addressOf, ...options }: Options) {
  async function sendResolved(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    { key, state, php }: PhpRoute,
  ) {
    const address = addressOf(key)
    // Its uploads are read from its folder.
    if (!address || !('socketPath' in address))
      return sendProblem(request, response, 'site_unreachable', target.host, key)
    const { socketPath, dataFolder } = address
    const layout = phpLayouts[php.runtime]
    const site = await files.siteOf(php.artifact)
    const open = (path: string) => openInside(dataFolder, join(layout.writable.folder, path))

    const exists = async (path: string) => {
      const file = await open(path)
      await file?.close()
      return file !== null
    }
    const resolved = await resolvePhp({ manifest: site.manifest, layout, exists }, target.path)
    if (resolved.kind === 'malformed') return sendProblem(request, response, 'malformed_request')
    if (resolved.kind === 'script')
      return exchangeFastCgi(
        request,
        response,
        target,
        resolved.script,
        { key, state, socketPath },
        options,
      )
    if (resolved.kind === 'missing')
      return sendProblem(request, response, 'page_not_found', target.host, key)
    if (resolved.kind === 'redirect') {
      const headers = { location: resolved.to, 'content-length': 0, [projectHeader]: key }
      response.writeHead(301, headers).end()
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendProblem(request, response, 'method_not_allowed', target.host, key)
    if (resolved.kind === 'file')
      return files.sendFile(request, response, target, { key, site }, { ...resolved, status: 200 })
    const file = await open(resolved.path)
    if (!file) return sendProblem(request, response, 'page_not_found', target.host, key)
    try {
      await sendUpload(request, response, key, { file, path: resolved.path })
    } finally {
      await file.close()
    }
  }

  return {
    /** Never rejects. */
    async send(
      request: IncomingMessage,
      response: ServerResponse,
      target: Target,
      route: PhpRoute,
    ): Promise<void> {
      try {
        await sendResolved(request, response, target, route)
      } catch (error) {
        // A visitor who disconnects ends the pipeline with an error, too.
        if (response.destroyed) return
        options.log.warn({ key: route.key, err: error }, 'A file of a PHP site could not be sent')
        if (response.headersSent) response.destroy()
        else sendProblem(request, response, 'site_failed', target.host)
      }
    },
  }
}

/** Sends an opened file, which the site may change meanwhile. */
async function sendUpload(
  request: IncomingMessage,
  response: ServerResponse,
  key: string,
  { file, path }: { file: FileHandle; path: string },
) {
  const { size, mtimeMs, ino } = await file.stat()
  const digest = [ino, size, Math.round(mtimeMs)].map((part) => part.toString(16)).join('.')
  const described = { name: path, size, digest, encodings: {} }
  const { status, headers, body } = represent(request, described, 200, noFiles)
  response.writeHead(status, {
    [projectHeader]: key,
    'cache-control': cacheControl(path),
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  if (body === null || size === 0 || request.method === 'HEAD') {
    response.end()
    return
  }
  const { start, end } = body.range ?? { start: 0, end: size - 1 }
  const content = file.createReadStream({ start, end, autoClose: false })
  await pipeline(content, response, { end: false })
  // A file that became shorter must not look complete.
  if (content.bytesRead === end - start + 1) response.end()
  else response.destroy()
}

/** Uploads have no compressed copies. */
const noFiles: ArtifactFiles = {
  folder: '',
  files: '',
  compressed: '',
  manifest: '',
  build: () => '',
}
