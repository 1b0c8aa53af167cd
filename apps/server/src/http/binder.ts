import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Endpoint, InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type { ErrorCode } from '@slipway/contract/errors'
import { type FileResponse, type FileStream, fileMediaType } from '@slipway/contract/file-response'
import { second } from '@slipway/contract/limits'
import { uploadMediaTypes } from '@slipway/contract/upload'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as z from 'zod/mini'
import type {
  Context,
  RequestContext,
  SessionContext,
  TokenContext,
  UserContext,
} from '../context.ts'
import { createShare } from '../db/shared-pool.ts'
import { Problem, problem } from '../problem.ts'
import { logSecurityEvent } from '../security-events.ts'
import { type Authenticate, authorize, bearerToken, type Caller } from './access.ts'
import { cookiesOf } from './cookies.ts'
import { errorsOf } from './declared-errors.ts'
import { type EventFeed, type EventStreams, lastEventId, wantsEvents } from './event-stream.ts'
import { responseSchema } from './json-schema.ts'
import { requestLocale } from './locale.ts'
import { parse, parseParams } from './parse.ts'
import { createRateLimit } from './rate-limit.ts'

type ContextOf<E> = E extends { access: 'public' }
  ? RequestContext
  : E extends { access: 'project' | 'projects' }
    ? UserContext
    : E extends { access: 'token' }
      ? TokenContext
      : SessionContext

/** Handles an endpoint with validated input; undeclared fields of the response are removed. */
export type Handler<E extends Endpoint> = (
  ctx: ContextOf<E>,
  input: InputOf<E> & {
    /** The body of an endpoint that receives a file. The handler reads it to its end or fails. */
    upload: Readable
    /** The header of the same name; undefined without one. */
    idempotencyKey: string | undefined
  },
) => Promise<ResponseOf<E> extends undefined ? void : ResponseOf<E>>

/** Opens the event stream of an endpoint that declares one (`orEventStream`). */
export type Streamer<E extends Endpoint> = (
  ctx: ContextOf<E>,
  input: InputOf<E> & {
    /** The id of the last event that the caller has; undefined for a new stream. */
    lastEventId: string | undefined
  },
) => Promise<EventFeed>

/** Mounts an endpoint of the contract on the server. */
export type Bind = <E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  streamer?: Streamer<E>,
) => void

/** Endpoints with a stricter limit: they sign in, send email or compute a password hash. */
const isCostly = (endpoint: Endpoint) => endpoint.access === 'public' && endpoint.method === 'POST'

/**
 * The binder: `on(endpoint, handler)` mounts a route with validation, access, a response serialized
 * by fast-json-stringify and only the declared errors.
 */
export function createBinder(
  app: FastifyInstance,
  ctx: Context,
  authenticate: Authenticate,
  mounted: Set<Endpoint>,
  streams: EventStreams,
): Bind {
  const countForUser = createRateLimit(app, ctx.env.RATE_LIMIT, ({ caller }) =>
    caller?.token ? `token ${caller.token.id}` : (caller?.user.id ?? ''),
  )
  const authentication = createShare()
  return (endpoint, handler, streamer) => {
    const schemas = {
      params: z.object(endpoint.params),
      querystring: endpoint.query ?? z.object({}),
      body: endpoint.body ?? z.unknown(),
    }
    const declared = errorsOf(endpoint)
    const uploadTypes = uploadMediaTypes(endpoint.body)
    mounted.add(endpoint)
    const share = createShare()
    const authorizeNow = (request: FastifyRequest) =>
      authentication.run(() => authorize(endpoint.access, ctx, authenticate, request))
    const contextOf = (request: FastifyRequest, reply: FastifyReply) =>
      ({
        ...requestContext(ctx, request, reply),
        authorizeAgain: async () => void (await authorizeNow(request)),
      }) as ContextOf<typeof endpoint>

    const route: RouteOptions = {
      method: endpoint.method,
      url: endpoint.path,
      config:
        isCostly(endpoint) && ctx.env.RATE_LIMIT > 0
          ? { rateLimit: { max: Math.max(1, Math.ceil(ctx.env.RATE_LIMIT / 20)) } }
          : {},
      // The validators do not read these schemas, but Fastify validates only what has one.
      schema: {
        ...(Object.keys(endpoint.params).length > 0 ? { params: {} } : {}),
        ...(endpoint.query ? { querystring: {} } : {}),
        ...(endpoint.body ? { body: {} } : {}),
        response: responseOf(endpoint),
      },
      validatorCompiler: ({ httpPart }) => {
        if (httpPart === 'params')
          return (data: unknown) => parseParams(schemas.params, data, endpoint)
        if (httpPart === 'body' && uploadTypes) return (data: unknown) => ({ value: data })
        const schema = schemas[httpPart as keyof typeof schemas]
        return (data: unknown) => parse(schema, data, endpoint.invalid)
      },
      onRequest: async (request) => {
        request.caller = await authorizeNow(request)
        request.hasLateBody = endpoint.body !== undefined && !request.raw.complete
        if (request.caller) await countForUser(request)
        if (endpoint.access === 'operator' && request.caller)
          logSecurityEvent({ log: request.log, address: request.ip }, 'operator_call', {
            userId: request.caller.user.id,
            endpoint: `${endpoint.method} ${endpoint.path}`,
          })
      },
      // A client may withhold the body until its session or token has ended. The body of an upload
      // arrives even later: its handler authorizes the caller again.
      preHandler: async (request) => {
        if (request.hasLateBody && !uploadTypes) request.caller = await authorizeNow(request)
      },
      handler: async (request, reply) => {
        const { caller } = request
        if (streamer && caller && wantsEvents(request)) {
          const streamCtx = contextOf(request, reply)
          const input = { ...inputOf(request, endpoint), lastEventId: lastEventId(request) }
          return withDeclaredErrors(declared, () =>
            streams.send(reply, loginOf(caller), async () => {
              const feed = await streamer(streamCtx, input)
              const check = () =>
                share.run(async () => {
                  await authorize(endpoint.access, ctx, authenticate, request)
                  await feed.check()
                })
              return { ...feed, check }
            }),
          )
        }
        const response = await withDeclaredErrors(declared, () =>
          share.run(() => handler(contextOf(request, reply), inputOf(request, endpoint))),
        )
        const type = fileMediaType(endpoint.response)
        if (type !== undefined) return sendFile(reply, type, response as FileResponse | FileStream)
        if (endpoint.response) return response
        reply.code(204)
        return null
      },
    }
    if (uploadTypes) mountUpload(app, route, uploadTypes)
    else app.route(route)
  }
}

/** The user of a stream, and the session or personal token whose end ends it. */
const loginOf = (caller: Caller) => ({
  userId: caller.user.id,
  loginId: caller.token ? caller.token.id : caller.session.id,
})

/** How long the client of a rejected upload has to read the response and stop, in milliseconds. */
const uploadGrace = 2 * second

/** Closes the connection of a client that keeps sending a rejected upload. */
function endRejectedUpload(request: IncomingMessage) {
  if (request.complete) return
  const timer = setTimeout(() => request.destroy(), uploadGrace).unref()
  request.once('end', () => clearTimeout(timer))
  request.once('close', () => clearTimeout(timer))
}

/** Mounts a route whose body stays a stream. Other media types are not supported. */
function mountUpload(app: FastifyInstance, route: RouteOptions, types: readonly string[]) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser([...types], (_request, payload, done) => done(null, payload))
    scope.addHook('onResponse', ({ raw }, _reply, done) => {
      endRejectedUpload(raw)
      done()
    })
    scope.route({ ...route, config: { ...route.config, upload: true } })
  })
}

/** The schemas that serialize the response, by status. None for a file, which is bytes. */
function responseOf({ response }: Endpoint) {
  if (response === undefined) return { 204: { type: 'null' } }
  return fileMediaType(response) === undefined ? { 200: responseSchema(response) } : {}
}

/** Sends a file as a download (RFC 6266) that shared caches may not store. */
const sendFile = (reply: FastifyReply, type: string, file: FileResponse | FileStream) =>
  reply
    .type(type)
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .header('cache-control', 'private, no-store')
    .send(
      'bytes' in file ? Buffer.from(file.bytes) : Readable.fromWeb(file.content as ReadableStream),
    )

const inputOf = <E extends Endpoint>(request: FastifyRequest, endpoint: E) =>
  ({
    params: request.params,
    query: endpoint.query ? request.query : undefined,
    body: endpoint.body ? request.body : undefined,
    // A request without a body is an empty upload.
    upload: request.body ?? Readable.from([]),
    idempotencyKey: idempotencyKey(request),
  }) as Parameters<Handler<E>>[1]

/**
 * RFC 9110 §5.5: a header of visible ASCII characters. Throws `malformed_request` for a long one.
 */
function idempotencyKey({ headers }: FastifyRequest) {
  const key = headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(key))
    throw problem('malformed_request', 'Idempotency-Key has 1 to 100 visible characters')
  return key
}

const headerOf = ({ headers }: FastifyRequest, name: string) => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const requestContext = (ctx: Context, request: FastifyRequest, reply: FastifyReply) => ({
  ...ctx,
  log: request.log,
  requestId: request.id,
  jobs: ctx.jobs.ofRequest(request.id),
  locale: requestLocale(request),
  address: request.ip,
  agent: request.headers['user-agent'],
  timeZone: headerOf(request, 'time-zone'),
  cookies: cookiesOf(request, reply, ctx.env.PUBLIC_URL),
  bearer: bearerToken(request.headers.authorization),
  isGone: () => request.raw.socket.destroyed === true,
  ...request.caller,
})

async function withDeclaredErrors<Result>(
  declared: ReadonlySet<ErrorCode>,
  work: () => Promise<Result>,
) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && !declared.has(error.code))
      throw new Error(`the contract does not declare ${error.code} here`, { cause: error })
    throw error
  }
}
