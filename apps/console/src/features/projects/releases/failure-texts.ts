import { limits } from '@slipway/contract/limits'
import { type Release, type ReleaseFailure, sizeLimit } from '@slipway/contract/releases'
import { formatBytes, formatNumber, getLocale, m } from '@slipway/phrases'

const failureTexts: Record<ReleaseFailure, (detail: string) => string> = {
  unknown_format: () => m.release_failure_unknown_format(),
  damaged: () => m.release_failure_damaged(),
  encrypted: () => m.release_failure_encrypted(),
  empty: () => m.release_failure_empty(),
  too_large: () => m.release_failure_too_large(),
  too_large_unpacked: () => m.release_failure_too_large_unpacked(),
  too_many_files: () =>
    m.release_failure_too_many_files({ max: formatNumber(limits.releaseFilesMax, getLocale()) }),
  path_outside: (file) => m.release_failure_path_outside({ file }),
  link_outside: (file) => m.release_failure_link_outside({ file }),
  special_file: (file) => m.release_failure_special_file({ file }),
  name_not_utf8: (file) => m.release_failure_name_not_utf8({ file }),
  name_invalid: (file) => m.release_failure_name_invalid({ file }),
  name_twice: (file) => m.release_failure_name_twice({ file }),
  no_room: () => m.release_failure_no_room(),
  index_missing: () => m.release_failure_index_missing(),
  php_index_missing: () => m.release_failure_php_index_missing(),
  runtime_has_no_releases: () => m.release_failure_runtime_has_no_releases(),
  package_json_missing: () => m.release_failure_package_json_missing(),
  package_json_invalid: () => m.release_failure_package_json_invalid(),
  start_missing: (file) => m.release_failure_start_missing({ file }),
  lock_file_missing: () => m.release_failure_lock_file_missing(),
  packages_missing: () => m.release_failure_packages_missing(),
  install_failed: () => m.release_failure_install_failed(),
  install_timed_out: () => m.release_failure_install_timed_out(),
  install_too_large: () => m.release_failure_install_too_large(),
  install_out_of_memory: () => m.release_failure_install_out_of_memory(),
  program_exited: (code) => m.release_failure_program_exited({ code }),
  out_of_memory: () => m.release_failure_out_of_memory(),
  too_many_processes: () => m.release_failure_too_many_processes(),
  disk_full: () => m.release_failure_disk_full(),
  not_listening: () => m.release_failure_not_listening(),
  not_responding: () => m.release_failure_not_responding(),
  other_port: (port) => m.release_failure_other_port({ port }),
  unhealthy: (status) => m.release_failure_unhealthy({ status }),
  image_not_found: () => m.release_failure_image_not_found(),
  image_access_denied: () => m.release_failure_image_access_denied(),
  image_not_pulled: (detail) => m.release_failure_image_not_pulled({ detail }),
  container_rejected: (detail) => m.release_failure_container_rejected({ detail }),
  volume_unbound: () => m.release_failure_volume_unbound(),
  data_missing: () => m.release_failure_data_missing(),
  quota_exceeded: () => m.release_failure_quota_exceeded(),
  configuration_rejected: () => m.release_failure_configuration_rejected(),
  overtaken: (number) => m.release_failure_overtaken({ number }),
  not_finished: () => m.release_failure_not_finished(),
}

/** Why a release failed; null for one that did not. */
export function failureText(release: Release): string | null {
  const { failure, failureDetail } = release
  if (!failure) return null
  const text = failureTexts[failure](failureDetail ?? '')
  const max = sizeLimit(release)
  return max === undefined
    ? text
    : `${text} ${m.release_limit({ max: formatBytes(max, getLocale()) })}`
}
