import * as z from 'zod/mini'
import { containerImage } from './container-images.ts'
import { endpoint } from './endpoint.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './pagination.ts'
import { runtimes } from './runtimes.ts'
import { upload } from './upload.ts'

export type ReleaseId = Id<'Release'>

/** A release is checked, then live until another one supersedes it, or it failed. */
export const releaseStates = ['checking', 'live', 'superseded', 'failed'] as const
export type ReleaseState = (typeof releaseStates)[number]

/**
 * Where a release comes from: an `upload` may also be a container image, a `version` is one that
 * operators added, and the release of a `backup` is the first of a project restored from it.
 */
export const releaseSources = ['upload', 'rollback', 'version', 'backup'] as const
export type ReleaseSource = (typeof releaseSources)[number]

export const archiveProblems = [
  /** Neither a zip nor a tar compressed with gzip. */
  'unknown_format',
  /** It ends early, or its checksums are wrong. */
  'damaged',
  'encrypted',
  /** It has no file. */
  'empty',
  /** The archive has more bytes than the limit, which is the detail of the release. */
  'too_large',
  /** Its files have more bytes than their limit; the detail as above. */
  'too_large_unpacked',
  'too_many_files',
  /** A path is absolute or leaves the folder. */
  'path_outside',
  /** A link leads out of the folder, to nothing, or to a folder that contains it. */
  'link_outside',
  /** A device, a named pipe, a socket or a hard link. */
  'special_file',
  'name_not_utf8',
  /** A name has control characters or is too long. */
  'name_invalid',
  /** Two names are equal, or differ in case or in Unicode's composition (NFC, NFD) only. */
  'name_twice',
] as const
export type ArchiveProblem = (typeof archiveProblems)[number]

export type UploadProblem = Extract<
  ArchiveProblem,
  'too_many_files' | 'too_large_unpacked' | 'too_large'
>

/**
 * Why the service would reject these files, checked before the upload, with the number of files or
 * bytes and its limit; undefined if it accepts them. `bytes` is the size of the files,
 * `archiveBytes` of their archive: 0 while it is not packed.
 */
export function uploadProblem(
  { files, bytes, archiveBytes }: { files: number; bytes: number; archiveBytes: number },
  maxArchiveBytes: number,
): { problem: UploadProblem; found: number; max: number } | undefined {
  const unpackedMax = maxArchiveBytes * limits.releaseUnpackedFactor
  if (files > limits.releaseFilesMax)
    return { problem: 'too_many_files', found: files, max: limits.releaseFilesMax }
  if (bytes > unpackedMax) return { problem: 'too_large_unpacked', found: bytes, max: unpackedMax }
  if (archiveBytes > maxArchiveBytes)
    return { problem: 'too_large', found: archiveBytes, max: maxArchiveBytes }
  return undefined
}

export const releaseFailures = [
  ...archiveProblems,
  /** The disk of the service has too little room for the unpacked files. */
  'no_room',
  /** A static site has no `index.html`; the detail is the runtime that the files look like. */
  'index_missing',
  /** A PHP site has no `index.php`, neither at the top nor in `public/`; the detail as above. */
  'php_index_missing',
  /** The files of a starter site and of WordPress cannot be uploaded. */
  'runtime_has_no_releases',
  /** A Node app needs a `package.json`; the detail as above. */
  'package_json_missing',
  'package_json_invalid',
  /** Neither a script `start` nor the file of `main`, which is the detail. */
  'start_missing',
  /** It has dependencies, but neither a lock file nor `node_modules`. */
  'lock_file_missing',
  /** The cluster does not install packages: `node_modules` is missing. */
  'packages_missing',
  /** `npm ci` failed; the detail is its exit code. */
  'install_failed',
  'install_timed_out',
  'install_too_large',
  'install_out_of_memory',
  /** Its program ended before it was healthy; the detail is the exit code or the signal. */
  'program_exited',
  /** It needed more memory than the site has. */
  'out_of_memory',
  /** It started more processes or threads than the site may have. */
  'too_many_processes',
  /** It was stopped because the disk of the site is full. */
  'disk_full',
  /** It did not listen in time. */
  'not_listening',
  /** It sent no response in time. */
  'not_responding',
  /** It listens on another port than `PORT`; the detail is that port. */
  'other_port',
  /** It responded, but with a server error: the detail is the status. */
  'unhealthy',
  /** The registry does not have the container image. */
  'image_not_found',
  /** The registry requires credentials, or other ones. */
  'image_access_denied',
  /** The container image cannot be pulled for another reason: the detail. */
  'image_not_pulled',
  /** The cluster does not start the container, such as one that wants to be root. */
  'container_rejected',
  'volume_unbound',
  /** The files of the site are missing, for example because a disk is not mounted. */
  'data_missing',
  /** It would exceed a quota of the site. */
  'quota_exceeded',
  /** The cluster does not accept the configuration of the site. */
  'configuration_rejected',
  /** A newer upload was live first. */
  'overtaken',
  /** The service could not finish the release before its deadline. */
  'not_finished',
] as const
export type ReleaseFailure = (typeof releaseFailures)[number]

/** Failures because the runtime's first file is missing. */
export const entryFailures: readonly ReleaseFailure[] = [
  'index_missing',
  'php_index_missing',
  'package_json_missing',
]

/** Runtimes whose files customers upload. PHP is first: its sites may have a package.json too. */
export const uploadedRuntimes = ['php', 'node', 'static'] as const
export type UploadedRuntime = (typeof uploadedRuntimes)[number]

/** The size limit in bytes that a failed release exceeds; undefined for any other failure. */
export const sizeLimit = ({
  failure,
  failureDetail,
}: Pick<Release, 'failure' | 'failureDetail'>): number | undefined =>
  // Releases from before the limit was stored have no detail.
  failureDetail !== null && (failure === 'too_large' || failure === 'too_large_unpacked')
    ? Number(failureDetail)
    : undefined

/** Why a line of `_redirects` or `_headers` of a static site does not work. */
const ruleProblems = [
  /** The path does not start with `/`, or has a `*` before its end. */
  'path_invalid',
  'target_missing',
  /** A parameter is not `name=value`. */
  'query_invalid',
  /** A condition, such as `Country=tr`. */
  'condition_unsupported',
  'status_invalid',
  /** A rewrite to another host. */
  'proxy_unsupported',
  'too_many_rules',
  /** The rest of the file is not read. */
  'file_too_long',
  /** A header without a path above it. */
  'path_missing',
  'header_invalid',
  /** A header that sites cannot set. */
  'header_reserved',
  /** A redirect that leads to itself, directly or by others. */
  'endless',
] as const
export type RuleProblem = (typeof ruleProblems)[number]

/** The other runtime that the files of a failed release look like, and can be deployed as. */
export const similarRuntime = ({
  failure,
  failureDetail,
}: Pick<Release, 'failure' | 'failureDetail'>): UploadedRuntime | undefined =>
  failure !== null && entryFailures.includes(failure)
    ? uploadedRuntimes.find((runtime) => runtime === failureDetail)
    : undefined

export const release = z.object({
  id: idOutput<'Release'>(),
  /** 1 for the first release of a project. */
  number: z.int(),
  runtime: z.enum(runtimes),
  state: z.enum(releaseStates),
  failure: z.nullable(z.enum(releaseFailures)),
  /** The subject of the failure, such as a file's name; null without one. */
  failureDetail: z.nullable(z.string()),
  source: z.enum(releaseSources),
  /** The number of the release whose files a rollback has; null for any other source. */
  rollbackOf: z.nullable(z.int()),
  /** Its files are those that the project runs; also true for an earlier release of them. */
  isCurrent: z.boolean(),
  /** The container image with its settings; null for a release of files. */
  image: z.nullable(containerImage),
  /** Who made it; null for a user whose account is removed. */
  createdBy: z.nullable(z.object({ id: idOutput<'User'>(), name: z.string() })),
  /** Size of the uploaded archive, in bytes. */
  archiveBytes: z.int(),
  /** Number and size of the unpacked files, in bytes; null until they are unpacked. */
  files: z.nullable(z.int()),
  bytes: z.nullable(z.int()),
  /** Compared with the release that was live before; null until it is checked. */
  changes: z.nullable(z.object({ added: z.int(), changed: z.int(), removed: z.int() })),
  /** Number of warnings about its files. The log has the first of them. */
  warnings: z.int(),
  createdAt: z.iso.datetime(),
  /** When it became live or failed; null while it is checked. */
  finishedAt: z.nullable(z.iso.datetime()),
})
export type Release = z.output<typeof release>

export const releaseDetail = z.extend(release, {
  /** The reports of the checks, each a line with its time. */
  log: z.array(z.object({ time: z.iso.datetime(), text: z.string(), isWarning: z.boolean() })),
})
export type ReleaseDetail = z.output<typeof releaseDetail>

const params = { id: idInput<'Project'>() }

export const createRelease = endpoint('POST /management/project/release/create/:id', {
  summary: 'Upload the files of a website as a zip or tar.gz and make them its next release',
  access: 'project',
  idempotent: true,
  params,
  query: z.object({ runtime: z.optional(z.enum(runtimes)) }),
  body: upload('application/zip', 'application/gzip'),
  response: release,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'runtime_not_available'],
})

export const deployImage = endpoint('POST /management/project/release/image/:id', {
  summary: 'Make a container image the next release of a project',
  access: 'project',
  idempotent: true,
  params,
  body: containerImage,
  response: release,
  errors: ['project_not_found', 'cannot_update_deleted_project', 'runtime_not_available'],
})

export const listReleases = endpoint('GET /management/project/release/all/:id', {
  summary: 'List the releases of a project, the newest first',
  access: 'project',
  params,
  query: pageQuery,
  response: z.extend(pageOf(release), {
    /** The most bytes that an uploaded archive may have. */
    maxArchiveBytes: z.int(),
    /** For a runtime whose files operators add: the project's version, and a newer one. */
    version: z.nullable(
      z.object({ current: z.nullable(z.string()), update: z.nullable(z.string()) }),
    ),
  }),
  errors: ['project_not_found'],
})

export const viewRelease = endpoint('GET /management/project/release/view/:id/:number', {
  summary: 'Get a release by its number, with the log of its checks',
  access: 'project',
  params: {
    ...params,
    // Nine digits always fit into PostgreSQL's integer.
    number: z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
  },
  response: releaseDetail,
  // `release_not_found`: also for a malformed number.
  errors: ['release_not_found', 'project_not_found'],
})

export const updateVersion = endpoint('POST /management/project/release/update/:id', {
  summary: 'Make a release of the newest version that operators added, such as of WordPress',
  access: 'project',
  idempotent: true,
  params,
  response: release,
  errors: [
    'project_not_found',
    'cannot_update_deleted_project',
    'runtime_not_available',
    'release_already_live',
    'release_in_progress',
  ],
})

export const rollBackRelease = endpoint('POST /management/project/release/rollback/:id', {
  summary: 'Make a new release with the files of an earlier one',
  access: 'project',
  idempotent: true,
  params,
  body: z.object({
    // The same limit as for a number in a path.
    number: z
      .int('form_invalid')
      .check(z.gte(1, 'form_invalid'), z.lte(999_999_999, 'form_invalid')),
  }),
  response: release,
  errors: [
    'project_not_found',
    'cannot_update_deleted_project',
    'runtime_not_available',
    'release_not_found',
    'release_already_live',
    'release_in_progress',
  ],
})
