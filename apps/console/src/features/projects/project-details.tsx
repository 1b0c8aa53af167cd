import type { Project, ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { CopyValue } from '../../shell/page/copy-value.tsx'
import { RelativeTime } from '../../shell/time/time.tsx'
import { Card } from '../../ui/card.tsx'
import { Detail, DetailList } from '../../ui/detail-list.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProjectDomain } from './domains/project-domain.tsx'
import { CreationDuration } from './progress/project-progress.tsx'
import { ProjectName } from './project-name.tsx'
import { projectStates, shownState } from './project-states.ts'

/** The default URL; a link while the site exists. */
const DefaultUrl = ({ project }: { project: Project }) =>
  projectStates[shownState(project)].noSiteReason ? (
    <span className="text-muted">{project.defaultUrl}</span>
  ) : (
    <ExternalLink href={project.defaultUrl} newTab={m.shell_new_tab()}>
      {project.defaultUrl}
    </ExternalLink>
  )

/** The project's fields; some are editable. */
export const ProjectDetails = ({
  project,
  withCreation,
}: {
  project: ProjectDetail
  /** Shows the duration of the creation, unless the page shows it elsewhere. */
  withCreation: boolean
}) => (
  <Card title={m.projects_details()}>
    <DetailList>
      <Detail label={m.projects_name()}>
        <ProjectName project={project} />
      </Detail>
      <Detail label={m.projects_domain()}>
        <ProjectDomain project={project} />
      </Detail>
      <Detail label={m.projects_default_url()}>
        <CopyValue
          text={project.defaultUrl}
          label={m.projects_copy({ label: m.projects_default_url() })}
        >
          <DefaultUrl project={project} />
        </CopyValue>
      </Detail>
      <Detail label={m.projects_created()}>
        <RelativeTime value={project.createdAt} />
        {withCreation && project.progress && <CreationDuration progress={project.progress} />}
      </Detail>
    </DetailList>
  </Card>
)

export const ProjectDetailsSkeleton = () => (
  <Card title={m.projects_details()}>
    <DetailList>
      {[m.projects_name(), m.projects_domain(), m.projects_default_url(), m.projects_created()].map(
        (label) => (
          <Detail key={label} label={label}>
            <Skeleton className="w-48" />
          </Detail>
        ),
      )}
    </DetailList>
  </Card>
)
