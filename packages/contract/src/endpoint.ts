import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call:
 * - `public`: anyone
 * - `session`: every signed-in user
 * - `user`: every verified user; the default
 * - `project`: also a personal token that may use the project in the path
 * - `projects`: also a personal token that may use all projects of its user
 * - `token`: only a personal token, whatever its projects are
 * - `operator`: operators
 */
export type Access = 'public' | 'session' | 'user' | 'project' | 'projects' | 'token' | 'operator'

type Schema = z.ZodMiniType
type Shape = Record<string, Schema>

/** The `:names` in a path. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type Endpoint<
  Params extends Shape = Shape,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  ResponseSchema extends Schema | undefined = Schema | undefined,
  Caller extends Access = Access,
> = {
  method: Method
  /** Below the API's base. `:name` is a parameter. */
  path: string
  access: Caller
  summary: string
  params: Params
  query: Query
  body: Body
  /** Undefined for a response with status 204 and no body. */
  response: ResponseSchema
  /** Its own errors, besides the errors of every endpoint and of its access. */
  errors: readonly ErrorCode[]
  /** The error for invalid input. Only `validation_error` has a message for each field. */
  invalid: 'validation_error' | 'invalid_params'
  /** True if a retried request with the same `Idempotency-Key` header has no second effect. */
  idempotent: boolean
}

/**
 * Declares an endpoint: the server mounts it, the client calls it and the documentation lists it.
 * `route` is a method and a path below the API's base.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  Path extends string,
  Params extends Record<ParamNames<Path>, Schema>,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  ResponseSchema extends Schema | undefined = undefined,
  Caller extends Access = 'user',
>(
  route: `${Method} ${Path}`,
  options: {
    summary: string
    access?: Caller
    query?: Query
    body?: Body
    response?: ResponseSchema
    errors?: readonly ErrorCode[]
    invalid?: 'invalid_params'
    idempotent?: true
  } & ([ParamNames<Path>] extends [never] ? { params?: undefined } : { params: Params }),
): Endpoint<
  [ParamNames<Path>] extends [never] ? Record<never, Schema> : Params,
  Query,
  Body,
  ResponseSchema,
  Caller
> {
  const [method, path] = route.split(' ') as [Method, Path]
  return {
    method,
    path,
    access: options.access ?? ('user' as Caller),
    summary: options.summary,
    params: (options.params ?? {}) as never,
    query: options.query as Query,
    body: options.body as Body,
    response: options.response as ResponseSchema,
    errors: options.errors ?? [],
    invalid: options.invalid ?? 'validation_error',
    idempotent: options.idempotent ?? false,
  }
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined
type Input<S> = S extends Schema ? z.input<S> : undefined
type ParsedShape<S extends Shape> = { [Name in keyof S]: z.output<S[Name]> }
type InputShape<S extends Shape> = { [Name in keyof S]: z.input<S[Name]> }
type OmitUndefined<Parts> = {
  [Name in keyof Parts as Parts[Name] extends undefined ? never : Name]: Parts[Name]
}

/** A request as its handler receives it: parsed and validated. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R, infer _A>
    ? { params: ParsedShape<P>; query: Parsed<Q>; body: Parsed<B> }
    : never

/** A request as a caller writes it, with the parts that the endpoint has. */
export type RequestOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R, infer _A>
    ? OmitUndefined<{
        params: keyof P extends never ? undefined : InputShape<P>
        query: Input<Q>
        body: Input<B>
      }>
    : never

/** The response; undefined for 204. */
export type ResponseOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R, infer _A> ? Parsed<R> : never
