import type { ProjectFailure } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'

export const failureTexts: Record<ProjectFailure, () => string> = {
  site_not_answering: () => m.projects_failure_site_not_answering(),
  domain_not_routed: () => m.projects_failure_domain_not_routed(),
  engine_failed: () => m.projects_failure_engine_failed(),
  removal_failed: () => m.projects_failure_removal_failed(),
  no_capacity: () => m.projects_failure_no_capacity(),
  data_missing: () => m.projects_failure_data_missing(),
  disk_full: () => m.projects_failure_disk_full(),
  change_unhealthy: () => m.projects_failure_change_unhealthy(),
  image_not_pulled: () => m.projects_failure_image_not_pulled(),
  program_crashes: () => m.projects_failure_program_crashes(),
  out_of_memory: () => m.projects_failure_out_of_memory(),
  volume_unbound: () => m.projects_failure_volume_unbound(),
  quota_exceeded: () => m.projects_failure_quota_exceeded(),
  configuration_rejected: () => m.projects_failure_configuration_rejected(),
  cluster_unreachable: () => m.projects_failure_cluster_unreachable(),
}
