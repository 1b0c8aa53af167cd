import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { newPassword } from './field-schemas.ts'
import { idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'
import { typedPassword } from './required-text.ts'

/** A browser or program in which the user is signed in. */
export const activeSession = z.object({
  id: idOutput<'Session'>(),
  /** True for the session of the request. */
  isCurrent: z.boolean(),
  /** From the User-Agent header of the login, such as `Firefox` and `Linux`; null when unknown. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** The network address of the login; null for a login at an older version of the service. */
  address: z.nullable(z.string()),
  /** The browser's IANA time zone at the login, such as `Europe/Istanbul`; null when unknown. */
  timeZone: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  /** Accurate to ten minutes. */
  lastUsedAt: z.iso.datetime(),
})
export type ActiveSession = z.output<typeof activeSession>

export const listSessions = endpoint('GET /account/session/all', {
  summary: 'List the sessions of the user, the last used first, at most 100',
  response: z.array(activeSession),
})

export const endSession = endpoint('DELETE /account/session/delete/:id', {
  summary: 'End a session of the user',
  params: { id: idInput<'Session'>() },
  errors: ['item_not_found'],
})

export const endOtherSessions = endpoint('POST /account/session/end-others', {
  summary: 'End all sessions of the user except that of the request',
})

export const changePassword = endpoint('PUT /account/password/update', {
  summary: 'Change the password; ends all other sessions, and personal tokens stay',
  body: z.object({ currentPassword: typedPassword(), password: newPassword }),
  errors: ['user_not_created_with_email', 'action_limit_reached'],
})

/** The form of the console, which has the new password twice. */
export const changePasswordForm = z
  .object({
    currentPassword: typedPassword(),
    password: newPassword,
    confirmation: z.string().check(z.maxLength(limits.bodyBytes)),
  })
  .check(
    z.refine((form) => form.password === form.confirmation, {
      path: ['confirmation'],
      error: 'form_repeat_password',
    }),
  )
