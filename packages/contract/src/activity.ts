import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idInput, idOutput } from './id.ts'

/**
 * The kinds of entries, with their parameters: `subject` names the changed resource, `before` and
 * `after` are its values. No parameter is a secret.
 */
export const activityKinds = [
  'project_created',
  /** Its site runs for the first time; `after`: `empty` if it waits for a release. */
  'project_ready',
  /** `after`: the failure of the project. */
  'project_failed',
  /** `before`, `after`: the names. */
  'project_renamed',
  'project_started',
  'project_stopped',
  'project_restarted',
  /** `after`: the reason of the suspension. */
  'project_suspended',
  'project_resumed',
  /** The project was moved to another cluster of its region. */
  'project_moved',
  /** `after`: the failure of the move. The site runs in its former cluster. */
  'project_move_failed',
  'project_deleted',
  /** Its program exits repeatedly. */
  'site_crashing',
  'site_recovered',
  /** `subject`: the number of the release. */
  'release_live',
  /** `subject`: the number of the release; `after`: the failure of the release. */
  'release_failed',
  /** `subject`: the release's number; `after`: the number of the release with the same files. */
  'release_rolled_back',
  /** A user has backed up the site. */
  'backup_created',
  /** `subject`: when the backup was made (ISO 8601). */
  'backup_restored',
  /** The same; `after`: the failure of the restore. */
  'backup_restore_failed',
  /** `subject`: the host. */
  'domain_added',
  'domain_proven',
  'domain_failed',
  'domain_recovered',
  'domain_removed',
  /**
   * `subject`: the host; `before`, `after`: its role, the status of a redirect and HSTS, such as
   * `redirect 308, hsts`.
   */
  'domain_changed',
  /** `before`, `after`: the hosts; null without a primary domain. */
  'domain_primary',
  /** `subject`: the names of the variables; of many the first and the number of the others. */
  'variables_set',
  'variables_removed',
  /** `subject`: the name of the client. */
  'client_created',
  'client_changed',
  'client_deleted',
  'client_secret_created',
  'client_secret_revoked',
  /** A member signed in to the site from the console. */
  'site_accessed',
  'team_created',
  /** `before`, `after`: the names. */
  'team_renamed',
  /** `subject`: the invited email address. */
  'member_invited',
  'invitation_canceled',
  /** `subject`: the invited email address; its user stays unknown to the team. */
  'invitation_rejected',
  'member_joined',
  'member_left',
  /** `subject`: the member's name. */
  'member_removed',
  /** `subject`: the host of the registry. */
  'registry_set',
  'registry_deleted',
  /** `subject`: the last digits of the card. */
  'card_added',
  'card_removed',
  /** `before`, `after`: the last digits of the default cards; null without an earlier one. */
  'card_default',
  /** `subject`: the last digits of the card; `before`, `after`: its billing address. */
  'card_changed',
  /** `subject`: the id of the invoice; `after`: its amount. */
  'invoice_issued',
  'invoice_paid',
  /** `subject`: the id of the invoice; `after`: the failure of the payment. */
  'invoice_unpaid',
  /** `subject`: the last digits of the card; `after`: the refunded charge. */
  'payment_refunded',
] as const
export type ActivityKind = (typeof activityKinds)[number]

/**
 * The actor of an entry: a user, a program with a user's token, the support team or the service.
 */
export const activityActors = ['user', 'token', 'operator', 'service'] as const
export type ActivityActor = (typeof activityActors)[number]

export const activity = z.object({
  /** Increases with each entry. */
  position: z.string(),
  kind: z.enum(activityKinds),
  actor: z.object({
    kind: z.enum(activityActors),
    /** The user, also for a token; null for other actors and for a deleted account. */
    id: z.nullable(idOutput<'User'>()),
    name: z.nullable(z.string()),
  }),
  /** Null for an entry about an account or a team. */
  project: z.nullable(z.object({ key: idOutput<'ProjectKey'>(), name: z.string() })),
  /** Null for an entry about an account. */
  team: z.nullable(z.object({ id: idOutput<'Team'>(), name: z.string() })),
  subject: z.nullable(z.string()),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** The id of the user's request, as in its response and in the log; null for any other actor. */
  requestId: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Activity = z.output<typeof activity>

const query = z.object({
  /** Entries before this position; the newest ones without it. */
  before: z.optional(z.string().check(z.regex(/^\d{1,18}$/))),
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 30),
})

const response = z.object({
  /** The newest first. */
  items: z.array(activity),
  /** The `before` of the next older entries; null when there are none. */
  before: z.nullable(z.string()),
})
export type ActivityPage = z.output<typeof response>

export const listActivity = endpoint('GET /management/activity/all', {
  summary: "List what happened in the user's teams and to their account",
  query,
  response,
})

export const listProjectActivity = endpoint('GET /management/project/activity/:id', {
  summary: 'List what happened to a project',
  access: 'project',
  params: { id: idInput<'Project'>() },
  query,
  response,
  errors: ['project_not_found'],
})

export const listTeamActivity = endpoint('GET /management/team/activity/:id', {
  summary: 'List what happened in a team and to its projects',
  params: { id: idInput<'Team'>() },
  query,
  response,
  errors: ['team_not_found'],
})
