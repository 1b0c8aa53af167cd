import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { singleLineText } from './field-schemas.ts'
import { type Id, idOutput } from './id.ts'

export type UserId = Id<'User'>

/** `Email`, or the name of the external provider that made the account. */
export type LoginKind = string

export const userProfile = z.object({
  id: idOutput<'User'>(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  loginKind: z.string(),
})
export type UserProfile = z.output<typeof userProfile>

export const getProfile = endpoint('GET /account/profile/user', {
  summary: 'Get the signed-in user',
  response: userProfile,
})

export const updateProfileName = endpoint('PUT /account/profile/update/name', {
  summary: 'Change the name of the signed-in user',
  body: z.object({ name: singleLineText('form_enter_name') }),
  response: userProfile,
})
