import { inspect } from 'node:util'

/** The resources that a request can name. */
export type ResourceKind =
  | 'project'
  | 'projectKey'
  | 'siteKey'
  | 'team'
  | 'user'
  | 'ticket'
  | 'message'
  // The newest ticket of a user, and its first message.
  | 'pairedTicket'
  | 'pairedMessage'
  | 'invoice'
  | 'paymentMethod'
  | 'payment'
  | 'email'
  | 'password'
  | 'session'
  | 'captcha'
  | 'siteUrl'
  | 'verifyToken'
  | 'resetToken'
  | 'bearerToken'
  | 'releasedProject'
  // A project whose files are a version that operators add.
  | 'versionedProject'
  | 'releaseNumber'
  // A project with domains.
  | 'domainProject'
  | 'domain'
  | 'keyOfLostProject'
  // A project with clients of the login provider.
  | 'clientProject'
  | 'signInClient'
  | 'signInSecret'
  | 'mail'
  | 'externalCode'
  | 'authorizationCode'
  | 'clientSecret'
  | 'accessToken'
  | 'personalToken'
  // The secrets of programs that log in.
  | 'personalTokenSecret'
  | 'userCode'
  | 'deviceCode'

/** The relation of the caller to a resource. */
export type Ownership = 'own' | 'foreign' | 'deleted' | 'unknown'

/**
 * A resource that is looked up when the request is sent, because the server generates ids: so a
 * seed generates the same requests in every run.
 */
export class Reference {
  readonly kind: ResourceKind
  readonly ownership: Ownership
  readonly pick: number

  constructor(kind: ResourceKind, ownership: Ownership, pick: number) {
    this.kind = kind
    this.ownership = ownership
    this.pick = pick
  }

  [inspect.custom]() {
    return `<${this.ownership} ${this.kind} ${this.pick}>`
  }
}

/** Text that gets the marker of the caller's team when the request is sent. */
export class MarkedText {
  readonly rest: string

  constructor(rest: string) {
    this.rest = rest
  }

  [inspect.custom]() {
    return `<marked ${JSON.stringify(this.rest)}>`
  }
}

/** JSON text that `JSON.stringify` cannot write, such as `1e999`; or a part of a URL as it is. */
export class RawText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  [inspect.custom]() {
    return this.text.length > 100
      ? `<raw ${this.text.slice(0, 40)}… of ${this.text.length}>`
      : `<raw ${this.text}>`
  }
}

/** The file of an upload. */
export class UploadedBytes {
  readonly description: string
  readonly type: string
  readonly bytes: Buffer

  constructor(description: string, type: string, bytes: Buffer) {
    this.description = description
    this.type = type
    this.bytes = bytes
  }

  [inspect.custom]() {
    return `<${this.description}, ${this.bytes.length} bytes of ${this.type}>`
  }
}

/** A part of a generated request. Undefined means that the field is missing. */
export type Value =
  | Reference
  | MarkedText
  | RawText
  | UploadedBytes
  | string
  | number
  | boolean
  | null
  | undefined
  | Value[]
  | { [field: string]: Value }

export const isObject = (value: Value): value is { [field: string]: Value } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof RawText) &&
  !(value instanceof Reference) &&
  !(value instanceof MarkedText) &&
  !(value instanceof UploadedBytes)

/** Writes JSON, with `RawText` as it is. */
export function toJson(value: Value): string {
  if (value instanceof RawText) return value.text
  if (value instanceof UploadedBytes) return JSON.stringify(value.description)
  if (Array.isArray(value)) return `[${value.map((each) => toJson(each ?? null)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${toJson(each)}`).join(',')}}`
}
