import type { ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { PageTabs } from '../../shell/navigation/page-tabs.tsx'

export const ProjectTabs = ({ projectKey }: { projectKey: ProjectKey }) => (
  <PageTabs
    label={m.projects_tabs()}
    tabs={[
      { to: paths.project(projectKey), name: m.projects_tab_overview() },
      { to: paths.releases(projectKey), name: m.release_title() },
      { to: paths.logs(projectKey), name: m.logs_title() },
      { to: paths.traffic(projectKey), name: m.traffic_title() },
      { to: paths.domains(projectKey), name: m.domains_title() },
      { to: paths.backups(projectKey), name: m.backups_title() },
      { to: paths.projectActivity(projectKey), name: m.activity_title() },
      { to: paths.projectSettings(projectKey), name: m.projects_settings() },
    ]}
  />
)
