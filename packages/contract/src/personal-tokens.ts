import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { singleLineText } from './field-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'

export type PersonalTokenId = Id<'PersonalToken'>

/** The start of every personal token, by which secret scanners recognize a leaked one. */
export const personalTokenPrefix = 'slipway_pat_'

/** The lifetimes that a user chooses from, in days. */
export const personalTokenLifetimes = [7, 30, 90, 365] as const
export const defaultPersonalTokenLifetime = 90

/** A personal token without the token itself, which is shown once. */
export const personalToken = z.object({
  id: idOutput<'PersonalToken'>(),
  name: z.string(),
  /** The projects that it may use; null for all projects of the user's teams. */
  projects: z.nullable(
    z.array(
      z.object({ id: idOutput<'Project'>(), key: idOutput<'ProjectKey'>(), name: z.string() }),
    ),
  ),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** The last use, to the minute, with its network address and program; null before the first. */
  lastUse: z.nullable(
    z.object({ time: z.iso.datetime(), address: z.string(), client: z.nullable(z.string()) }),
  ),
})
export type PersonalToken = z.output<typeof personalToken>

const grant = {
  /** Null for all present and future projects of the user's teams. */
  projectIds: z.nullable(
    z
      .array(idInput<'Project'>())
      .check(
        z.minLength(1, 'form_select_project'),
        z.maxLength(limits.projectsPerPersonalToken, 'form_invalid'),
      ),
  ),
  days: z._default(
    z
      .number('form_invalid')
      .check(
        z.refine(
          (days) => personalTokenLifetimes.some((lifetime) => lifetime === days),
          'form_invalid',
        ),
      ),
    defaultPersonalTokenLifetime,
  ),
}

export const listPersonalTokens = endpoint('GET /account/personal-token/all', {
  summary: 'List the personal tokens of the signed-in user, the newest first',
  response: z.array(personalToken),
})

export const createPersonalToken = endpoint('POST /account/personal-token/create', {
  summary: 'Create a personal token for programs; the response is the only one that has the token',
  body: z.object({ name: singleLineText('form_enter_name', 1), ...grant }),
  response: z.object({ token: z.string(), personalToken }),
  errors: ['project_not_found', 'personal_token_limit_reached'],
})

export const deletePersonalToken = endpoint('DELETE /account/personal-token/delete/:id', {
  summary: 'Revoke a personal token',
  params: { id: idInput<'PersonalToken'>() },
  errors: ['item_not_found'],
})

export const getCurrentPersonalToken = endpoint('GET /account/personal-token/current', {
  summary: 'Get the personal token of the request, and its user',
  access: 'token',
  response: z.object({ user: z.object({ name: z.string(), email: z.string() }), personalToken }),
})

export const deleteCurrentPersonalToken = endpoint('POST /account/personal-token/log-out', {
  summary: 'Revoke the personal token of the request',
  access: 'token',
})

// Device authorization in the shape of RFC 8628: a program shows a code, which its user confirms in
// the console.

/** Letters of a user code: none is a vowel, and none looks like another (RFC 8628 §6.1). */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/** A typed user code in its stored form; other characters than its letters are removed. */
export const normalizeUserCode = (typed: string) =>
  [...typed.toUpperCase()].filter((letter) => userCodeLetters.includes(letter)).join('')

/** A user code as it is shown: `WDJB-MJHT`. */
export const formatUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

const userCode = z
  .string('form_enter_code')
  .check(z.maxLength(64, 'form_enter_code'), z.overwrite(normalizeUserCode))

export const requestDevice = endpoint('POST /auth/device/code', {
  summary: 'Start a login of a program, which its user confirms in the console',
  access: 'public',
  body: z.object({
    /** The name of the program's machine, which the user sees. */
    name: singleLineText('form_enter_name', 1),
  }),
  response: z.object({
    deviceCode: z.string(),
    userCode: z.string(),
    verificationUri: z.string(),
    /** `verificationUri` with the user code, for a browser on this machine. */
    verificationUriComplete: z.string(),
    /** In seconds. */
    expiresIn: z.int(),
    interval: z.int(),
  }),
})

/** RFC 8628 §3.5 returns these as errors; here only a failed request is an error. */
export const deviceStates = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'approved',
] as const

export const pollDevice = endpoint('POST /auth/device/token', {
  summary: 'Get the personal token of a login that its user has confirmed; it is returned once',
  access: 'public',
  body: z.object({ deviceCode: z.string().check(z.minLength(1), z.maxLength(128)) }),
  response: z.object({
    state: z.enum(deviceStates),
    token: z.nullable(z.string()),
    /** Seconds until the next request, which `slow_down` raises. */
    interval: z.int(),
  }),
})

/** A login that waits for its user. */
export const device = z.object({
  name: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Device = z.output<typeof device>

export const viewDevice = endpoint('POST /account/device/view', {
  summary: 'Get what a user code would log in; after too many wrong codes the user has to wait',
  body: z.object({ code: userCode }),
  response: device,
  errors: ['item_not_found'],
})

export const approveDevice = endpoint('POST /account/device/approve', {
  summary: 'Confirm the login of a program, which then gets a personal token',
  body: z.object({ code: userCode, ...grant }),
  errors: ['item_not_found', 'project_not_found', 'personal_token_limit_reached'],
})

export const denyDevice = endpoint('POST /account/device/deny', {
  summary: 'Reject the login of a program',
  body: z.object({ code: userCode }),
  errors: ['item_not_found'],
})
