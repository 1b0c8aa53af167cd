import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { singleLineText } from './field-schemas.ts'
import { fileStream } from './file-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { minute } from './limits.ts'
import { pageOf, pageQuery } from './pagination.ts'
import { project } from './projects.ts'
import { runtimes } from './runtimes.ts'

/** Here and not in `limits`, which every page of the console loads. Times are in milliseconds. */
export const siteBackupLimits = {
  /** Backups that a user may request in 15 minutes, and as many restores. */
  requestsPerUser: 20,
  /** Stored backups: one for each of the last days and weeks that have one, and others. */
  days: 14,
  weeks: 8,
  onRequest: 10,
  beforeChanges: 10,
  /** The longest time that a backup, and a restore, may take. */
  deadline: 30 * minute,
} as const

export type SiteBackupId = Id<'SiteBackup'>

export const siteBackupStates = ['creating', 'ready', 'failed'] as const
export type SiteBackupState = (typeof siteBackupStates)[number]

/** Why a backup was made: by a user, daily, or before a release or a restore. */
export const siteBackupCauses = ['manual', 'daily', 'release', 'restore'] as const
export type SiteBackupCause = (typeof siteBackupCauses)[number]

export const siteBackupFailures = [
  /** The files of the site have more bytes than a backup may have. */
  'too_large',
  'cluster_unreachable',
  /** The store of the backups does not accept it, or its disk is full. */
  'not_stored',
  /** The service could not finish it before its deadline. */
  'not_finished',
  'engine_failed',
] as const
export type SiteBackupFailure = (typeof siteBackupFailures)[number]

/** A copy of the files that a site has written, with its SQLite databases. */
export const siteBackup = z.object({
  id: idOutput<'SiteBackup'>(),
  state: z.enum(siteBackupStates),
  cause: z.enum(siteBackupCauses),
  failure: z.nullable(z.enum(siteBackupFailures)),
  /** What the site ran. */
  runtime: z.enum(runtimes),
  /** The number of the release that was live; null without one. */
  release: z.nullable(z.int()),
  /** Who requested it; null for the service, and for a user whose account is removed. */
  createdBy: z.nullable(z.object({ id: idOutput<'User'>(), name: z.string() })),
  /** The size of the stored backup; null until it is ready. */
  bytes: z.nullable(z.int()),
  createdAt: z.iso.datetime(),
  /** The last time that the site's files were found to be those of the backup. */
  checkedAt: z.nullable(z.iso.datetime()),
})
export type SiteBackup = z.output<typeof siteBackup>

/** The steps of a restore, in order. A site that is restored does not run meanwhile. */
export const siteRestoreSteps = ['stop', 'backup', 'import', 'undo'] as const
export type SiteRestoreStep = (typeof siteRestoreSteps)[number]

export const siteRestoreFailures = [
  /** The stored file is missing or damaged. */
  'backup_unreadable',
  /** The backup of the present files failed, without which nothing is replaced. */
  'not_backed_up',
  'no_room',
  'cluster_unreachable',
  'timed_out',
  'engine_failed',
] as const
export type SiteRestoreFailure = (typeof siteRestoreFailures)[number]

/** The newest restore into a project. */
export const siteRestore = z.object({
  backupId: idOutput<'SiteBackup'>(),
  /** When the backup was made. */
  backupCreatedAt: z.iso.datetime(),
  /** Null once it has ended. */
  step: z.nullable(z.enum(siteRestoreSteps)),
  /** Null unless it has failed: then the site has its earlier files. */
  failure: z.nullable(z.enum(siteRestoreFailures)),
  requestedAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type SiteRestore = z.output<typeof siteRestore>

/** Why a backup or a restore is not possible: the context of `backup_not_possible`. */
export const siteBackupObstacles = [
  /** The releases of the site have all its files. */
  'no_content',
  /** The project is being created, or its creation has failed. */
  'not_ready',
  /** Another backup of the project is being made. */
  'backup_in_progress',
  'restore_in_progress',
  /** A release of the project is being deployed. */
  'release_in_progress',
  /** The project moves to another server. */
  'moving',
] as const
export type SiteBackupObstacle = (typeof siteBackupObstacles)[number]

const id = { id: idInput<'Project'>() }

export const listSiteBackups = endpoint('GET /management/project/backup/all/:id', {
  summary: 'List the backups of a project, the newest first',
  access: 'project',
  params: id,
  query: pageQuery,
  response: z.extend(pageOf(siteBackup), {
    /** False for a site that writes no files: its releases have all of them. */
    hasContent: z.boolean(),
    /** The newest restore into the project; null without one. */
    restore: z.nullable(siteRestore),
  }),
  errors: ['project_not_found'],
})

export const createSiteBackup = endpoint('POST /management/project/backup/create/:id', {
  summary: 'Back up the files of a site while it runs',
  access: 'project',
  idempotent: true,
  params: id,
  response: siteBackup,
  // The context of `backup_not_possible` says why.
  errors: ['project_not_found', 'cannot_update_deleted_project', 'backup_not_possible'],
})

export const restoreSiteBackup = endpoint('POST /management/project/backup/restore/:id', {
  summary: 'Restore a backup in its project, or in a new project of the same team and region',
  access: 'project',
  idempotent: true,
  params: id,
  body: z.object({
    backupId: idInput<'SiteBackup'>(),
    /** The name of the new project; null restores in place. */
    newProjectName: z._default(z.nullable(singleLineText('form_enter_name')), null),
  }),
  /** The project that gets the files. */
  response: project,
  // `item_not_found`: the project has no such backup that is ready.
  errors: [
    'project_not_found',
    'cannot_update_deleted_project',
    'item_not_found',
    'backup_not_possible',
    'forbidden',
    'team_not_found',
    'region_not_found',
    'region_full',
    'runtime_not_available',
    'project_limit_reached',
    'domain_in_use',
  ],
})

export const downloadSiteBackup = endpoint(
  'GET /management/project/backup/download/:id/:backupId',
  {
    summary: 'Download a backup as a tar.gz',
    access: 'project',
    params: { ...id, backupId: idInput<'SiteBackup'>() },
    response: fileStream('application/gzip'),
    errors: ['project_not_found', 'item_not_found'],
  },
)
