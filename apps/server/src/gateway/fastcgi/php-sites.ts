import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ArtifactFiles } from '../../artifacts/artifact-layout.ts'
import { phpLayouts } from '../../fastcgi/php-layout.ts'
import { type FastCgiAddress, requestFastCgi } from '../../fastcgi/request.ts'
import type { SiteRoute } from '../exchange.ts'
import { projectHeader } from '../headers.ts'
import type { Site, SiteAddress } from '../pools.ts'
import { sendProblem } from '../problem-pages.ts'
import type { NextAttempt } from '../replacement-waits.ts'
import { cacheControl } from '../static/caching.ts'
import { contentType, represent } from '../static/representation.ts'
import { type StaticFiles, sendSiteRedirect } from '../static/static-files.ts'
import type { Target } from '../target.ts'
import { exchangeFastCgi, type FastCgiOptions, type FastCgiSite } from './exchange.ts'
import { openInside } from './open-inside.ts'
import { resolvePhp } from './php-path.ts'

type PhpRoute = SiteRoute & { php: NonNullable<SiteRoute['php']> }

type Options = FastCgiOptions & {
  files: StaticFiles
  addressOf: (site: Site) => SiteAddress
}

/** Serves the sites of PHP files: their programs by FastCGI, their other files directly. */
export function createPhpSites({ files, addressOf, ...options }: Options) {
  async function sendResolved(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    { key, cluster, state, php }: PhpRoute,
    beginWait: () => NextAttempt,
  ) {
    const nextAttempt = beginWait()
    let address = addressOf({ key, cluster })
    while (!address && (await nextAttempt())) address = addressOf({ key, cluster })
    if (!address) return sendProblem(request, response, unreachableProblem(state), target.host, key)
    const layout = phpLayouts[php.runtime]
    const site = await files.siteOf(php.artifact)
    const called: FastCgiSite = {
      key,
      state,
      address: () => programAt(addressOf({ key, cluster }) ?? address),
      nextAttempt,
    }
    const uploads =
      'socketPath' in address
        ? uploadsOfFolder(join(address.dataFolder, layout.writable.folder))
        : uploadsOfProgram(called, layout.writable.folder)
    const { exists } = uploads
    const resolved = await resolvePhp({ manifest: site.manifest, layout, exists }, target.path)
    if (resolved.kind === 'malformed')
      return sendProblem(request, response, 'malformed_request', target.host, key)
    if (resolved.kind === 'script')
      return exchangeFastCgi(request, response, target, resolved.script, called, options)
    if (resolved.kind === 'missing')
      return sendProblem(request, response, 'page_not_found', target.host, key)
    if (resolved.kind === 'redirect')
      return sendSiteRedirect(response, { to: resolved.to, status: 301 }, key)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendProblem(request, response, 'method_not_allowed', target.host, key)
    if (resolved.kind === 'file')
      return files.sendFile(request, response, target, { key, site }, { ...resolved, status: 200 })
    if ('script' in uploads) {
      const upload = { ...called, params: uploads.params(resolved.path) }
      return exchangeFastCgi(request, response, target, uploads.script, upload, options)
    }
    const file = await uploads.open(resolved.path)
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
      beginWait: () => NextAttempt,
    ): Promise<void> {
      try {
        await sendResolved(request, response, target, route, beginWait)
      } catch (error) {
        // A visitor who disconnects ends the pipeline with an error, too.
        if (response.destroyed) return
        if (error instanceof LookupFailed)
          return sendProblem(
            request,
            response,
            unreachableProblem(route.state),
            target.host,
            route.key,
          )
        options.log.warn({ key: route.key, err: error }, 'A file of a PHP site could not be sent')
        if (response.headersSent) response.destroy()
        else sendProblem(request, response, 'site_failed', target.host, route.key)
      }
    },
  }
}

const unreachableProblem = (state: SiteRoute['state']) =>
  state === 'starting' ? 'site_starting' : 'site_unreachable'

const programAt = (address: NonNullable<SiteAddress>): FastCgiAddress =>
  'socketPath' in address ? { path: address.socketPath } : address

/** The files that a site wrote on this machine. */
function uploadsOfFolder(folder: string) {
  const open = (path: string) => openInside(folder, path)
  return {
    open,
    async exists(path: string) {
      const file = await open(path)
      await file?.close()
      return file !== null
    },
  }
}

/** Slipway's script in the image of the site; visitors cannot request it. */
const sendFile = '/slipway/send-file.php'
const lookupTimeoutMs = 5_000

/** No pod says whether a file exists. Without it, the file would look missing. */
class LookupFailed extends Error {}

/** The files that a site wrote on another machine: its program sends them. */
function uploadsOfProgram({ address, nextAttempt }: FastCgiSite, folder: string) {
  const params = (path: string) => ({
    SLIPWAY_FOLDER: folder,
    SLIPWAY_FILE: path,
    SLIPWAY_TYPE: contentType(path),
    SLIPWAY_CACHING: cacheControl(path),
  })
  return {
    script: { documentRoot: '/slipway', filename: sendFile, name: sendFile, pathInfo: '' },
    params,
    async exists(path: string) {
      const look = { ...params(path), REQUEST_METHOD: 'HEAD' }
      for (;;) {
        const signal = AbortSignal.timeout(lookupTimeoutMs)
        const reply = await requestFastCgi(address(), sendFile, look, signal)
        if (reply) return reply.status === 200
        if (!(await nextAttempt())) throw new LookupFailed(`no pod looks for ${path}`)
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
