import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { FormMessage } from './form-messages.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'

export type RegistryId = Id<'Registry'>

/** The names under which Docker Hub is known; the first is its own. */
const dockerHub = ['docker.io', 'index.docker.io', 'registry-1.docker.io', 'hub.docker.com']
const defaultHost = 'docker.io'

/** The host in a text that users paste: `ghcr.io` for `https://GHCR.io/v2/`. */
function toRegistryHost(text: string): string {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
  return dockerHub.includes(host) ? defaultHost : host
}

/**
 * The host of a registry: `localhost`, or a name with a dot or a port. Any other first part of a
 * reference names a repository of Docker Hub.
 */
const hostName =
  /^(?=.*[.:]|localhost$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[0-9]{1,5})?$/

/** The host of an image's registry, such as `ghcr.io`; `docker.io` for Docker Hub. */
export function registryOf(reference: string): string {
  const [first = '', ...rest] = reference.split('/')
  return rest.length > 0 && hostName.test(first) ? toRegistryHost(first) : defaultHost
}

/** Basic authentication separates the name from the password by a colon (RFC 7617 §2). */
const userName = /^[^\p{Cc}\p{Cs}:]+$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON key file has line breaks
const unusable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]/u

const host = z.string('form_enter_registry' satisfies FormMessage).check(
  z.overwrite(toRegistryHost),
  z.maxLength(limits.registryHostMax, {
    error: 'form_too_long' satisfies FormMessage,
    abort: true,
  }),
  z.regex(hostName, 'form_enter_registry' satisfies FormMessage),
)

const username = z.string('form_enter_username' satisfies FormMessage).check(
  z.trim(),
  z.minLength(1, 'form_enter_username' satisfies FormMessage),
  z.maxLength(limits.registryUsernameMax, {
    error: 'form_too_long' satisfies FormMessage,
    abort: true,
  }),
  z.regex(userName, 'form_invalid' satisfies FormMessage),
)

/** A password or token. It is never returned. */
const password = z.string('form_enter_registry_password' satisfies FormMessage).check(
  z.minLength(1, 'form_enter_registry_password' satisfies FormMessage),
  z.maxLength(limits.registryPasswordMax, {
    error: 'form_too_long' satisfies FormMessage,
    abort: true,
  }),
  z.refine((value) => !unusable.test(value), 'form_invalid' satisfies FormMessage),
)

/** The credentials of a registry, from which a team's projects pull their images. */
export const registry = z.object({
  id: idOutput<'Registry'>(),
  /** Such as `ghcr.io`, with the port if one was entered. */
  host: z.string(),
  username: z.string(),
  /** Who set the password; null for a user whose account is removed. */
  setBy: z.nullable(z.object({ id: idOutput<'User'>(), name: z.string() })),
  /** When it was set. */
  setAt: z.iso.datetime(),
  /** When an image of the registry last became live in the team; null before that. */
  lastUsedAt: z.nullable(z.iso.datetime()),
})
export type Registry = z.output<typeof registry>

const params = { id: idInput<'Team'>() }

export const listRegistries = endpoint('GET /management/team/registry/all/:id', {
  summary: 'List the registries whose credentials a team has, without the passwords',
  params,
  response: z.array(registry),
  errors: ['team_not_found'],
})

export const setRegistry = endpoint('PUT /management/team/registry/set/:id', {
  summary: "Set or replace a team's credentials for a registry; owner only",
  params,
  body: z.object({ host, username, password }),
  response: registry,
  errors: ['team_not_found', 'forbidden', 'registry_limit_reached'],
})

export const deleteRegistry = endpoint('DELETE /management/team/registry/delete/:id/:registryId', {
  summary: "Delete a team's credentials for a registry; owner only",
  params: { ...params, registryId: idInput<'Registry'>() },
  errors: ['team_not_found', 'forbidden', 'item_not_found'],
})
