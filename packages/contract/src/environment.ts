import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { FormMessage } from './form-messages.ts'
import { idInput } from './id.ts'
import { limits } from './limits.ts'

/** Names that the service sets, or that change how a program is started. */
const reserved =
  /^(PORT|PATH|HOME|TMPDIR|PWD|USER|LOGNAME|SHELL|IFS|ENV|BASH_ENV|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|NODE_CHANNEL_FD|NODE_UNIQUE_ID|PHPRC|PHP_INI_SCAN_DIR|GCONV_PATH|GLIBC_TUNABLES|OPENSSL_CONF|LOCPATH|HTTP_PROXY|HTTPS_PROXY|ALL_PROXY|NO_PROXY|WP_PROXY_.*|SLIPWAY_.*|LD_.*|DYLD_.*|NPM_CONFIG_.*|GIT_.*|BASH_FUNC_.*)$/i

/** Why a name is not allowed; null if it is. */
export function variableNameProblem(name: string): FormMessage | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'form_variable_name'
  if (name.length > limits.variableNameMax) return 'form_too_long'
  return reserved.test(name) ? 'form_variable_reserved' : null
}

/** Why a value is not allowed; null if it is. A process's environment has no null bytes. */
export function variableValueProblem(value: string): FormMessage | null {
  if (new TextEncoder().encode(value).length > limits.variableValueBytes) return 'form_too_long'
  return value.includes('\0') || !value.isWellFormed() ? 'form_invalid' : null
}

/** The names of a site's environment variables. No response has their values. */
export const environment = z.object({
  variables: z.array(z.object({ name: z.string(), updatedAt: z.iso.datetime() })),
})
export type Environment = z.output<typeof environment>

const params = { id: idInput<'Project'>() }

export const listEnvironment = endpoint('GET /management/project/environment/:id', {
  summary: "List the names of a site's environment variables",
  access: 'project',
  params,
  response: environment,
  errors: ['project_not_found'],
})

export const changeEnvironment = endpoint('PUT /management/project/environment/:id', {
  summary: "Set and remove a site's environment variables; the site restarts with them",
  access: 'project',
  params,
  body: z.object({
    set: z._default(z.record(z.string(), z.string('form_invalid')), {}),
    remove: z._default(
      z
        .array(z.string().check(z.maxLength(limits.variableNameMax)))
        .check(z.maxLength(limits.variablesPerProject)),
      [],
    ),
  }),
  response: environment,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'variable_limit_reached'],
})
